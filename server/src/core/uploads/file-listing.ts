import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { filesInBatches } from '../../metadata/files/file-batches.ts'
import type { Service } from '../service.ts'

/** A line in the list of a folder of an upload. */
export type ListingEntry =
  | { readonly kind: 'folder'; readonly name: string }
  | {
      readonly kind: 'file'
      readonly name: string
      /** Bytes. */
      readonly size: number
      /** When the file arrived, in milliseconds since the epoch. */
      readonly modified: number
    }

type ListedFile = Pick<FileRecord, 'createdAt' | 'fileName' | 'fileSize' | 'id' | 'uploadedAt'>

/**
 * The files and folders in a folder of an upload, in the order in which the files were added. Only stored files are listed: a
 * program that follows all links must not end a stream.
 * @param folder empty for the upload itself; otherwise its path, which ends in `/`
 * @throws ServiceError `unavailable`
 */
export async function listFolder(
  { store }: Pick<Service, 'store'>,
  upload: Pick<UploadRecord, 'id'>,
  folder: string,
): Promise<ListingEntry[]> {
  const entries = new Map<string, ListingEntry>()
  for (const { path, file } of withPaths(await storedFiles(store, upload.id))) {
    if (!path.startsWith(folder)) continue
    const rest = path.slice(folder.length)
    const name = firstOf(rest)
    if (name.length < rest.length) entries.set(`${name}/`, { kind: 'folder', name })
    else
      entries.set(name, {
        kind: 'file',
        name,
        size: file.fileSize,
        modified: file.uploadedAt ?? file.createdAt,
      })
  }
  return [...entries.values()]
}

/** Without the other columns, because a slow client may keep the list of an upload in memory. */
async function storedFiles(store: Service['store'], uploadId: string): Promise<ListedFile[]> {
  const listedFiles = (files: readonly FileRecord[]) =>
    files
      .filter(({ status }) => status === 'uploaded')
      .map(({ id, fileName, fileSize, createdAt, uploadedAt }) => ({
        id,
        fileName,
        fileSize,
        createdAt,
        uploadedAt,
      }))
  const { first, rest } = await filesInBatches(store, uploadId)
  const files = listedFiles(first)
  if (rest !== null) for await (const batch of rest) files.push(...listedFiles(batch))
  return files
}

/**
 * The paths of files below the address of their upload: their names, by which they can be downloaded. A file whose name another
 * one has, or a folder, is in a folder with its id, as in the address of its download.
 *
 * The names are compared in their order, without a list of all folders: a thousand names of five hundred folders each would
 * block the server for seconds.
 */
export function withPaths<File extends Pick<FileRecord, 'fileName' | 'id'>>(
  files: readonly File[],
): { readonly file: File; readonly path: string }[] {
  const ids = new Set(files.map(({ id }) => id))
  const isFolder = folderFinder(files.map(({ fileName }) => fileName))
  const taken = new Set<string>()
  return files.map((file) => {
    const { id, fileName } = file
    const isUnique = !taken.has(fileName) && !isFolder(fileName) && !ids.has(firstOf(fileName))
    taken.add(fileName)
    return { file, path: isUnique ? fileName : `${id}/${fileName}` }
  })
}

/** Whether one of the names is in a folder with a name. */
function folderFinder(names: readonly string[]): (name: string) => boolean {
  // By UTF-16 code units, so that all names in a folder follow each other.
  const sorted = [...names].sort()
  return (name) => {
    const folder = `${name}/`
    let low = 0
    for (let high = sorted.length; low < high;) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] ?? '') < folder) low = middle + 1
      else high = middle
    }
    return sorted[low]?.startsWith(folder) === true
  }
}

const firstOf = (path: string): string => {
  const end = path.indexOf('/')
  return end < 0 ? path : path.slice(0, end)
}
