/** The result of one check. `fail`: the program cannot work; `warn`: it works, but something should be looked at. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  /** What was checked, in one or two words. */
  readonly about: string
  /** The state, and what to do about it. Never contains a secret. */
  readonly message: string
}

export const ok = (about: string, message: string): Finding => ({ level: 'ok', about, message })
export const warn = (about: string, message: string): Finding => ({ level: 'warn', about, message })
export const fail = (about: string, message: string): Finding => ({ level: 'fail', about, message })
