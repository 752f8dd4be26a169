/** `fail`: the service cannot work like this; `warn`: it can, but somebody should look at it. */
export type Level = 'ok' | 'warn' | 'fail'

/** What a look at one part found: a line for an operator. */
export interface Finding {
  readonly level: Level
  /** The part, in a word or two. */
  readonly about: string
  /** What is so, and where it is not well, what to do. Never a secret. */
  readonly message: string
}

export const ok = (about: string, message: string): Finding => ({ level: 'ok', about, message })
export const warn = (about: string, message: string): Finding => ({ level: 'warn', about, message })
export const fail = (about: string, message: string): Finding => ({ level: 'fail', about, message })

const longestChain = 4

/** Why something failed: what an error says, and those that caused it. */
export function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let next = error; next instanceof Error && reasons.length < longestChain; next = next.cause) {
    // Errors of several addresses at once say nothing themselves.
    const [first] = next instanceof AggregateError ? (next.errors as readonly unknown[]) : []
    const reason = next.message === '' && first instanceof Error ? first.message : next.message
    if (reason !== '' && !reasons.includes(reason)) reasons.push(reason)
  }
  return reasons.length === 0 ? String(error) : reasons.join(': ')
}

const day = 86_400_000

/** What the end of a certificate means, as seen from now. Milliseconds since the epoch. */
export function certificateFinding(about: string, validTo: number, now: number): Finding {
  const days = Math.floor((validTo - now) / day)
  if (days < 0) return fail(about, 'the certificate has expired: renew it')
  if (days < 14) return warn(about, `the certificate ends in ${String(days)} days: renew it`)
  return ok(about, `the certificate is valid for ${String(days)} more days`)
}
