/** The text that one batch should have, in characters. */
const targetLength = 16_384

/** How rows with texts of any length are read. */
interface BatchOptions<Key, Row> {
  /** The number of rows of the first batch. */
  readonly first: number
  /** The maximum number of rows of a batch. */
  readonly max: number
  readonly read: (keys: readonly Key[]) => Promise<readonly Row[]>
  /** The length of the texts of a row, in characters. */
  readonly lengthOf: (row: Row) => number
}

/** Reads rows in batches whose size adapts to the texts of the last batch. */
export async function* readInBatches<Key, Row>(
  keys: readonly Key[],
  { first, max, read, lengthOf }: BatchOptions<Key, Row>,
): AsyncGenerator<readonly Row[], void> {
  let size = first
  for (let start = 0; start < keys.length;) {
    const rows = await read(keys.slice(start, start + size))
    start += size
    if (rows.length > 0) size = batchSize(rows.map(lengthOf), max)
    yield rows
  }
}

/**
 * The number of rows of a batch.
 * @param lengths lengths of the texts of rows like those of the batch, in characters; at least one
 */
export function batchSize(lengths: readonly number[], max: number): number {
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return Math.min(max, Math.max(1, Math.floor(targetLength / Math.max(1, mean))))
}
