import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import { equalSecrets } from './secrets.ts'

/** A code is signed for the hour in which it is issued. */
const hourMs = 3_600_000

/** The number of full hours that a code is valid. */
const validHours = 24

/** Crockford's Base32, which has no letters that look alike (https://www.crockford.com/base32.html). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Characters of a code: 40 bits. A guess is right with one in 10^10, and an account has few guesses. */
const codeLength = 8

/** A part of each code: it never changes. */
const label = 'svc: confirmation of e-mail addresses'

/** Codes that are sent to an email address, and prove that a user reads what arrives there. */
export interface EmailConfirmations {
  readonly issue: (userId: string, email: string) => string
  /** Whether a code was issued for this user and this address, and is still valid. */
  readonly verify: (userId: string, email: string, code: string) => boolean
}

/** Codes are signed, so that none is stored. Their key is derived from the shared key (HKDF, RFC 5869). */
export function emailConfirmations(sharedKey: string, clock: Clock): EmailConfirmations {
  const key = new Uint8Array(hkdfSync('sha256', sharedKey, '', label, 32))
  const sign = (userId: string, email: string, hour: number) => {
    const signature = createHmac('sha256', key)
      .update(JSON.stringify([userId, email, hour]))
      .digest()
    return Array.from(signature.subarray(0, codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
  }
  const currentHour = () => Math.floor(clock.now() / hourMs)
  return {
    issue(userId, email) {
      const code = sign(userId, email, currentHour())
      return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`
    },
    verify(userId, email, code) {
      const typed = canonical(code)
      const hour = currentHour()
      return Array.from({ length: validHours + 1 }, (_, age) => hour - age).some((issued) =>
        equalSecrets(typed, sign(userId, email, issued)),
      )
    },
  }
}

/** A code as it is signed: people leave out hyphens, and take a zero for an O. */
const canonical = (code: string): string =>
  code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
