/** Whether an address of SQLite means a database in the memory of a process. */
export const isMemoryDatabase = (address: string): boolean =>
  address === ':memory:' || /^file:.*[?&]mode=memory/.test(address)
