import { isAlias } from '@svc/contract'
import { fileNotFound, uploadNotFound } from '../../domain/not-found-errors.ts'
import { parseFileName } from '../../domain/files/file-name.ts'
import { isId } from '../../domain/ids.ts'
import { hasEnded } from '../../domain/limits/lifetime.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/**
 * @param name id of the upload or its alias, in any case: keyboards of phones write capital letters
 * @throws ServiceError `upload_not_found` when the upload never existed, is removed, or has expired
 */
export async function loadUpload(
  { store, clock }: Pick<Service, 'clock' | 'store'>,
  name: string,
): Promise<UploadRecord> {
  const id = isId(name) ? name : await idOf({ store }, name.toLowerCase())
  const upload = id === undefined ? undefined : await store.uploads.find(id)
  if (upload === undefined || hasEnded(upload, clock.now())) throw uploadNotFound()
  return upload
}

const idOf = ({ store }: Pick<Service, 'store'>, alias: string): Promise<string | undefined> =>
  isAlias(alias) ? store.aliases.uploadOf(alias) : Promise.resolve(undefined)

/**
 * Loads the file of an upload that a URL names.
 * @param fileName as in the URL: it must match
 * @throws ServiceError `file_not_found`
 */
export async function loadFile(
  service: Pick<Service, 'store'>,
  upload: UploadRecord,
  id: string,
  fileName: string,
): Promise<FileRecord> {
  const file = await findFile(service, upload, id, fileName)
  if (file === undefined) throw fileNotFound()
  return file
}

/** As `loadFile`; undefined where there is no such file. */
export async function findFile(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  id: string,
  fileName: string,
): Promise<FileRecord | undefined> {
  const file = isId(id) ? await store.files.find(upload.id, id) : undefined
  return file?.fileName === fileName ? file : undefined
}

/**
 * Loads the first stored file of an upload with a name.
 * @throws ServiceError `file_not_found`
 */
export async function loadNamedFile(
  { store }: Pick<Service, 'store'>,
  upload: UploadRecord,
  fileName: string,
): Promise<FileRecord> {
  // Not every database can look for any text.
  const files = parseFileName(fileName, { folders: true }).ok
    ? await store.files.findNamed(upload.id, fileName)
    : []
  const [file] = files
  if (file === undefined) throw fileNotFound()
  return file
}
