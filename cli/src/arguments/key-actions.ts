/** What `svc keys` does with the address book. */
export const keyActions = ['ls', 'add', 'rm'] as const
