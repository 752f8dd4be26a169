/** `fail`: the service cannot work; `warn`: it works, but an operator should look at it. */
export type Level = 'ok' | 'warn' | 'fail'

/** The result of one check, for an operator. */
export interface Finding {
  readonly level: Level
  /** What was checked, in one or two words. */
  readonly about: string
  /** The state, and what to do about it. Never contains a secret. */
  readonly message: string
}

export const ok = (about: string, message: string): Finding => ({ level: 'ok', about, message })
export const warn = (about: string, message: string): Finding => ({ level: 'warn', about, message })
export const fail = (about: string, message: string): Finding => ({ level: 'fail', about, message })

const maxCauses = 4

/** The messages of an error and of its causes. */
export function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let next = error; next instanceof Error && reasons.length < maxCauses; next = next.cause) {
    // An AggregateError of several addresses has no message.
    const [first] = next instanceof AggregateError ? (next.errors as readonly unknown[]) : []
    const reason = next.message === '' && first instanceof Error ? first.message : next.message
    if (reason !== '' && !reasons.includes(reason)) reasons.push(reason)
  }
  return reasons.length === 0 ? String(error) : reasons.join(': ')
}

const day = 86_400_000

/** Checks the expiry of a certificate. Both times are milliseconds since the epoch. */
export function certificateFinding(about: string, validTo: number, now: number): Finding {
  const days = Math.floor((validTo - now) / day)
  if (days < 0) return fail(about, 'the certificate has expired: renew it')
  if (days < 14) return warn(about, `the certificate expires in ${String(days)} days: renew it`)
  return ok(about, `the certificate is valid for ${String(days)} more days`)
}
