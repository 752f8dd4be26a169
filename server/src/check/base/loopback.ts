/** Whether only this machine reaches an address. */
export const isLoopback = (address: string): boolean => /^(?:127\.|::1$|localhost$)/.test(address)
