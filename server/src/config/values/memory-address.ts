/** Whether an address of SQLite is that of a database in the memory of its process. */
export const isMemoryAddress = (address: string): boolean =>
  address === ':memory:' || /^file:.*[?&]mode=memory/.test(address)
