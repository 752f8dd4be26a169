import type { FileRecord } from '../../domain/records.ts'
import type { Service } from '../service.ts'

/** Files that are read at once. */
export const filesPerBatch = 100

/** The files of an upload, in their order. */
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
  { store: { files } }: Pick<Service, 'store'>,
  uploadId: string,
): Promise<FileBatches> {
  const found = await files.first(uploadId, filesPerBatch + 1)
  if (found.length <= filesPerBatch) return { first: found, rest: null }
  const ids = await files.ids(uploadId)
  async function* rest() {
    for (let start = filesPerBatch; start < ids.length; start += filesPerBatch)
      yield files.listByIds(uploadId, ids.slice(start, start + filesPerBatch))
  }
  // A file that was added between the two queries is in `ids`.
  return { first: found.slice(0, filesPerBatch), rest: rest() }
}
