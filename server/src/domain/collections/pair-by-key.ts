interface KeyedItem {
  readonly key: string
}

/** The entries of two sources for one key; at least one is defined. */
export interface Pair<Left, Right> {
  readonly key: string
  readonly left: Left | undefined
  readonly right: Right | undefined
}

/**
 * Joins two sources that are sorted by key (in UTF-16 order), with unique keys. Holds one entry of each in memory.
 * If a source is unsorted, its entries may arrive without their partners.
 */
export async function* pairByKey<Left extends KeyedItem, Right extends KeyedItem>(
  lefts: AsyncIterable<Left>,
  rights: AsyncIterable<Right>,
): AsyncGenerator<Pair<Left, Right>, void> {
  const [left, right] = [lefts[Symbol.asyncIterator](), rights[Symbol.asyncIterator]()]
  try {
    let [l, r] = [await next(left), await next(right)]
    for (;;) {
      const key = smaller(l?.key, r?.key)
      if (key === undefined) return
      const pair = { key, left: l?.key === key ? l : undefined, right: r?.key === key ? r : undefined }
      yield pair
      if (pair.left !== undefined) l = await next(left)
      if (pair.right !== undefined) r = await next(right)
    }
  } finally {
    await Promise.all([left.return?.(), right.return?.()])
  }
}

async function next<Value>(source: AsyncIterator<Value, unknown>): Promise<Value | undefined> {
  const result = await source.next()
  return result.done === true ? undefined : result.value
}

function smaller(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
