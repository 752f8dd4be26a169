import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import { randomId, type Random } from '../domain/ids.ts'
import { equalSecrets } from './secrets.ts'

/** What one instance asks of another. */
export interface InstanceRequest {
  readonly method: string
  readonly path: string
  /** Id of the instance that is meant: another one that came to its address must not answer. */
  readonly target: string
}

/** What proves that a request comes from an instance on the same database, as it travels in headers. */
export interface Proofs {
  readonly time: string
  readonly nonce: string
  readonly signature: string
}

export interface InstanceSignatures {
  readonly sign: (request: InstanceRequest) => Proofs
  /** Whether a request is genuine, of our time, and seen for the first time. */
  readonly accept: (request: InstanceRequest, proofs: Proofs) => boolean
  /** Signs the head of the answer to a request. @param nonce of the request */
  readonly signAnswer: (nonce: string, head: readonly string[]) => string
  readonly isAnswer: (nonce: string, head: readonly string[], signature: string) => boolean
}

/** Clocks may differ by 30 s; the rest is for the way. */
const toleranceMs = 60_000

const label = 'svc: requests between instances'

/**
 * Signatures between the instances on one database (HMAC-SHA-256), with a key of their own derived from the key that
 * they share (HKDF, RFC 5869).
 */
export function instanceSignatures(sharedKey: string, clock: Clock, random: Random): InstanceSignatures {
  const key = new Uint8Array(hkdfSync('sha256', sharedKey, '', label, 32))
  /** Nonces of genuine requests, with the time after which their request is too old anyway. Oldest first. */
  const seen = new Map<string, number>()
  const mac = (purpose: string, fields: readonly string[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...fields]))
      .digest('base64url')
  const ofRequest = ({ method, path, target }: InstanceRequest, time: string, nonce: string) =>
    mac('request', [method, path, target, time, nonce])

  const isNew = (nonce: string, now: number) => {
    for (const [old, until] of seen) {
      if (until > now) break
      seen.delete(old)
    }
    if (seen.has(nonce)) return false
    seen.set(nonce, now + 2 * toleranceMs)
    return true
  }

  return {
    sign(request) {
      const time = String(clock.now())
      const nonce = randomId(random)
      return { time, nonce, signature: ofRequest(request, time, nonce) }
    },
    accept(request, { time, nonce, signature }) {
      if (!equalSecrets(signature, ofRequest(request, time, nonce))) return false
      const now = clock.now()
      return Math.abs(now - Number(time)) <= toleranceMs && isNew(nonce, now)
    },
    signAnswer: (nonce, head) => mac('answer', [nonce, ...head]),
    isAnswer: (nonce, head, signature) => equalSecrets(signature, mac('answer', [nonce, ...head])),
  }
}
