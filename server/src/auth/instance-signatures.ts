import { createHmac, hkdfSync } from 'node:crypto'
import type { Clock } from '../domain/clock.ts'
import { randomId, type Random } from '../domain/ids.ts'
import { equalSecrets } from './secrets.ts'

/** A request from one instance to another. */
export interface InstanceRequest {
  readonly method: string
  readonly path: string
  /** The id of the intended instance: another one that got its address must not respond. */
  readonly target: string
}

/** Proves that a request comes from an instance on the same database. Its fields are sent as headers. */
export interface RequestSignature {
  readonly time: string
  readonly nonce: string
  readonly signature: string
}

export interface InstanceSignatures {
  readonly sign: (request: InstanceRequest) => RequestSignature
  /** Whether a request is authentic, recent, and new. */
  readonly verify: (request: InstanceRequest, signature: RequestSignature) => boolean
  /**
   * Signs the head of a response.
   * @param nonce nonce of the request
   */
  readonly signResponse: (nonce: string, head: readonly string[]) => string
  readonly isResponse: (nonce: string, head: readonly string[], signature: string) => boolean
}

/** Allows for clocks that differ by 30 s, and for the time in transit. */
const toleranceMs = 60_000

const label = 'svc: requests between instances'

/**
 * Signatures between the instances on one database (HMAC-SHA-256). Their key is derived from the shared key (HKDF,
 * RFC 5869).
 */
export function instanceSignatures(sharedKey: string, clock: Clock, random: Random): InstanceSignatures {
  const key = new Uint8Array(hkdfSync('sha256', sharedKey, '', label, 32))
  /** The nonces of authentic requests, with the time after which the request is too old. Oldest first. */
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
    verify(request, { time, nonce, signature }) {
      if (!equalSecrets(signature, ofRequest(request, time, nonce))) return false
      const now = clock.now()
      return Math.abs(now - Number(time)) <= toleranceMs && isNew(nonce, now)
    },
    signResponse: (nonce, head) => mac('answer', [nonce, ...head]),
    isResponse: (nonce, head, signature) => equalSecrets(signature, mac('answer', [nonce, ...head])),
  }
}
