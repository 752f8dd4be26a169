/** The text that one batch should have, in characters. */
const targetLength = 16_384

/** Sizes of batches of rows whose texts may be empty or long. */
export interface BatchSizes {
  /** The number of rows of the next batch. */
  readonly next: () => number
  /** Adapts the next batch to the lengths of the texts of the last one, in characters. */
  readonly adapt: (lengths: readonly number[]) => void
}

export function batchSizes({ first, max }: { readonly first: number; readonly max: number }): BatchSizes {
  let size = first
  return {
    next: () => size,
    adapt(lengths) {
      if (lengths.length === 0) return
      const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
      size = Math.min(max, Math.max(1, Math.floor(targetLength / Math.max(1, mean))))
    },
  }
}
