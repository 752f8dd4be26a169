import { fail, ok, warn, type Finding } from '@svc/terminal'

const day = 86_400_000

/** Checks the expiry of a certificate. Both times are milliseconds since the epoch. */
export function certificateFinding(about: string, validTo: number, now: number): Finding {
  const days = Math.floor((validTo - now) / day)
  if (days < 0) return fail(about, 'the certificate has expired: renew it')
  if (days < 14) return warn(about, `the certificate expires in ${String(days)} days: renew it`)
  return ok(about, `the certificate is valid for ${String(days)} more days`)
}
