/**
 * Reads the next item while the current one is processed. It helps where another process, thread or disk provides the items.
 * @throws the errors of the items, when they are due
 */
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
