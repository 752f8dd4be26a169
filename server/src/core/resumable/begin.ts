import type { BudgetKey } from '../../domain/access/budget-key.ts'
import * as errors from '../../domain/errors.ts'
import { uploadNotFound } from '../../domain/not-found-errors.ts'
import { parseFileName } from '../../domain/files/file-name.ts'
import { partialType } from '../../domain/files/partial-file.ts'
import type { FileRecord, UploadRecord, UserRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { countFile, LostRaceError } from '../stats/usage-accounting.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import { newFile } from '../uploads/new-file.ts'
import type { Space } from '../space/free-space.ts'
import { ownerOf } from '../uploads/upload-owner.ts'
import { reserveQuota } from '../limits/quota.ts'
import { requireFileSize } from '../limits/file-size.ts'
import { reserveFile, retakePlace } from '../limits/request-limits.ts'
import { withFreedPlaces } from '../limits/request-places.ts'
import type { Base, Metadata, Operations, Service, Transfers } from '../service.ts'
import { currentOffset } from './offset-and-cancel.ts'
import { discard } from './discard.ts'
import { expiryOf, stateOf, type ResumableState } from './state.ts'

/** A new file that will arrive in parts. */
export interface NewResumable {
  readonly fileName: string
  readonly reference: string | null
  /** The bytes of the file; null while the sender does not know. */
  readonly size: number | null
  readonly budgetKey: BudgetKey | null
}

/**
 * Adds a resumable file to an upload. The file counts against the limits and the quota from now on. Its name may have
 * folders, like that of a declared file.
 * @throws ServiceError `too_many_files`, `file_too_big`, `quota_reached`, `no_space`, `stream_not_declared`,
 * `invalid_file_name`, `upload_not_found` when the upload is removed in the meantime, and the errors of `reserveFile`
 */
export async function beginResumable(
  service: Service,
  upload: UploadRecord,
  file: NewResumable,
): Promise<ResumableState> {
  return addResumable(service, upload, { ...file, fileName: validName(file) })
}

/**
 * The validated name of a file, which may have folders. Its reference is checked, too.
 * @throws ServiceError `invalid_file_name`, `invalid_request`
 */
export function validName({ fileName, reference }: Pick<NewResumable, 'fileName' | 'reference'>): string {
  const parsed = parseFileName(fileName, { folders: true })
  if (!parsed.ok) throw errors.invalidFileName(parsed.reason)
  requireStorable('reference', reference ?? '')
  return parsed.name
}

/** @param type `partialType` for a partial upload, whose name no rule concerns */
function addResumable(
  service: Service,
  upload: UploadRecord,
  { fileName, reference, size, budgetKey }: NewResumable,
  type = '',
): Promise<ResumableState> {
  const { maxFilePerUpload } = service.config
  service.budgets.spend(budgetKey, 'files')
  const file: FileRecord = {
    ...newFile(service, upload, {
      fileName,
      reference,
      fileSize: size ?? 0,
      status: 'uploading',
      // Set when the row is written: files may be added at the same time.
      position: 0,
    }),
    type,
    instance: null,
  }
  return begin(service, { upload, file, size, budgetKey }, async (transaction) => {
    await countFile(transaction, upload.id, maxFilePerUpload)
    await reserveFile(transaction, upload, type === '' ? fileName : null, service.clock.now())
    await transaction.files.insert({ ...file, position: await transaction.files.nextPosition(upload.id) })
  })
}

/**
 * Begins a partial upload. It counts as a file of its upload until a final upload takes its bytes over.
 * @throws ServiceError as `beginResumable` does
 */
export function beginPartial(
  service: Service,
  upload: UploadRecord,
  { size, budgetKey }: Pick<NewResumable, 'size' | 'budgetKey'>,
): Promise<ResumableState> {
  const named = { fileName: 'part', reference: null, size, budgetKey }
  return addResumable(service, upload, named, partialType)
}

/**
 * Begins a file that was declared when its upload was created. The file keeps its declared name.
 * @throws ServiceError `file_not_missing`, and the errors of `beginResumable`
 */
export const beginDeclared = (
  service: Base & Metadata & Operations & Transfers,
  upload: UploadRecord,
  file: FileRecord,
  { size, budgetKey }: Pick<NewResumable, 'size' | 'budgetKey'>,
): Promise<ResumableState> =>
  begin(
    service,
    { upload, file: { ...file, status: 'uploading', fileSize: size ?? 0 }, size, budgetKey },
    async (transaction) => {
      await transaction.uploads.lock(upload.id)
      if (!(await transaction.files.startResumable(file, size ?? 0))) throw errors.fileNotMissing()
      await retakePlace(transaction, upload, service.clock.now())
    },
  )

interface BeginOptions extends Pick<NewResumable, 'size' | 'budgetKey'> {
  readonly upload: UploadRecord
  readonly file: FileRecord
}

async function begin(
  service: Base & Metadata & Operations & Transfers,
  { upload, file, size, budgetKey }: BeginOptions,
  add: (transaction: MetadataStore) => Promise<void>,
): Promise<ResumableState> {
  if (upload.stream === 1) throw errors.streamNotDeclared()
  const owner = await ownerOf(service, upload)
  const space = await checkSize(service, { upload, owner }, { size: size ?? 0, budgetKey })
  const resumable = {
    fileId: file.id,
    uploadId: upload.id,
    size,
    received: 0,
    session: '',
    type: '',
    writer: null,
    successor: null,
    expireAt: expiryOf(service, upload),
  }
  try {
    await withFreedPlaces(service, upload, () =>
      service.store.transaction(async (transaction) => {
        await add(transaction)
        await transaction.resumables.insert(resumable)
      }),
    )
    space.persisted()
  } finally {
    space.end()
  }
  try {
    await reserveQuota(service, { owner, upload }, file, size ?? 0)
  } catch (error) {
    await discard(service, upload, file.id)
    // Only a removal of the whole upload can have removed this file.
    throw error instanceof LostRaceError ? uploadNotFound(error) : error
  }
  return size === 0 ? currentOffset(service, upload, file) : stateOf(file, resumable)
}

/**
 * Checks the limits before anything is written.
 * @returns the reserved space of the file
 * @throws ServiceError `file_too_big`, `no_space`
 */
async function checkSize(
  service: Pick<Service, 'config' | 'freeSpace' | 'rowSpace'>,
  { upload, owner }: { readonly upload: UploadRecord; readonly owner: UserRecord | null },
  { size, budgetKey }: { readonly size: number; readonly budgetKey: BudgetKey | null },
): Promise<Space> {
  requireFileSize(service, owner, upload, size)
  await service.rowSpace.require()
  return service.freeSpace.announce(budgetKey, size)
}
