import type { FileRecord } from '../../domain/records.ts'
import { filesPerBatch, type FileLists } from './file-lists.ts'

/** The files of an upload, in the order of `list`. */
export interface FileBatches {
  readonly first: readonly FileRecord[]
  /** The further files; null when the first batch has all of them. */
  readonly rest: AsyncIterable<readonly FileRecord[]> | null
}

/**
 * Reads the files of an upload in batches. Uploads can have thousands of files with long names, and clients that read
 * slowly would otherwise keep all these rows in memory.
 */
export async function filesInBatches(
  { files }: { readonly files: FileLists },
  uploadId: string,
): Promise<FileBatches> {
  const found = await files.first(uploadId)
  if (found.length <= filesPerBatch) return { first: found, rest: null }
  const first = found.slice(0, filesPerBatch)
  const ids = await files.ids(uploadId)
  // The list may have changed between the two queries.
  const isLast = (id: string) => id === first.at(-1)?.id
  async function* rest() {
    for (let start = ids.findIndex(isLast) + 1; start < ids.length; start += filesPerBatch)
      yield files.listByIds(uploadId, ids.slice(start, start + filesPerBatch))
  }
  return { first, rest: rest() }
}
