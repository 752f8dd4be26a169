import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import { equalSecrets } from './secrets.ts'

/** How long a code is valid, in ms. */
const validMs = 24 * 3_600_000

/** 128 bits in base64url. */
const signatureLength = 22

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
  const sign = (userId: string, email: string, until: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([userId, email, until]))
      .digest('base64url')
      .slice(0, signatureLength)
  return {
    issue(userId, email) {
      const until = (clock.now() + validMs).toString(36)
      return `${until}.${sign(userId, email, until)}`
    },
    verify(userId, email, code) {
      const [until = '', signature = ''] = code.trim().split('.', 2)
      if (!equalSecrets(signature, sign(userId, email, until))) return false
      return Number.parseInt(until, 36) > clock.now()
    },
  }
}
