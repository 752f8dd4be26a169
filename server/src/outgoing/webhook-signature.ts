import { createHmac } from 'node:crypto'
import type { Random } from '../domain/ids.ts'

const prefix = 'whsec_'
const secretBytes = 32

/** A secret of the Standard Webhooks specification: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(random: Random): string {
  const bytes = new Uint8Array(secretBytes)
  random(bytes)
  return prefix + Buffer.from(bytes).toString('base64')
}

/** A message of the Standard Webhooks specification. */
export interface SignedMessage {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly sentAt: number
  readonly body: string
}

/**
 * The headers of a webhook request (Standard Webhooks: id, timestamp, and a signature by each secret).
 * @param secrets the current one first
 */
export function webhookHeaders(
  { id, sentAt, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sentAt / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
