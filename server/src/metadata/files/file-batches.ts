import type { FileRecord } from '../../domain/records.ts'
import { batchSize, readInBatches } from '../../domain/collections/read-in-batches.ts'
import { firstBatch, type FileLists } from './file-lists.ts'

/** The maximum number of files per query. */
const maxBatch = 256

const lengthOf = ({ fileName }: FileRecord) => fileName.length

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
  if (found.length <= firstBatch) return { first: found, rest: null }
  const first = found.slice(0, firstBatch)
  const ids = await files.ids(uploadId)
  // The list may have changed between the two queries.
  const isLast = (id: string) => id === first.at(-1)?.id
  const rest = readInBatches(ids.slice(ids.findIndex(isLast) + 1), {
    first: batchSize(first.map(lengthOf), maxBatch),
    max: maxBatch,
    read: (batch) => files.listByIds(uploadId, batch),
    lengthOf,
  })
  return { first, rest }
}
