/** Reads the next item while the current one is processed, for items that come from another process or thread than the one that processes them. */
export async function* readAhead<Item>(items: AsyncGenerator<Item, void>): AsyncGenerator<Item> {
  const read = () => {
    const next = items.next()
    // An error is thrown when the item is due.
    next.catch(() => undefined)
    return next
  }
  try {
    for (let next = read(); ;) {
      const result = await next
      if (result.done === true) return
      next = read()
      yield result.value
    }
  } finally {
    await items.return(undefined)
  }
}
