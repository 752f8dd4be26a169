/** The subcommands of `svc keys`. */
export const keyActions = ['ls', 'add', 'rm'] as const
