/** Runs work on each item in order, with limited concurrency. An error stops all items that have not begun. */
export async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = each(items)
  const worker = async () => {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker))
}

/** Unlike the iterator of an array, a generator ends for all workers when an error leaves the loop of one. */
function* each<Item>(items: readonly Item[]): Generator<Item, void> {
  yield* items
}
