import { deliveryErrors } from '@svc/contract'
import type { DeliveryRecord, WebhookRecord } from '../../../domain/notification-records.ts'
import type { Outcome } from '../../../outgoing/outcome.ts'
import { post, UndeliveredError, type PostOptions } from '../../../outgoing/post.ts'
import type { MayConnect } from '../../../outgoing/public-address.ts'
import type { Resolve } from '../../../outgoing/resolve.ts'
import { webhookHeaders } from '../../../outgoing/webhook-signature.ts'

/** Where a message goes. */
export interface Destination {
  readonly url: string
  /** The secrets that sign it, the current one first. */
  readonly secrets: readonly string[]
  readonly mayConnect: MayConnect
  /** By default, name servers are asked. */
  readonly resolve?: Resolve
}

/** The status of a target that no longer exists: it asks for no further messages (RFC 9110 §15.5.11). */
const goneStatus = 410

/** The secrets of a webhook: the previous one signs as well for a while after a rotation. */
export const secretsOf = (
  { secret, previousSecret, previousUntil }: WebhookRecord,
  now: number,
): readonly string[] =>
  previousSecret !== null && previousUntil !== null && previousUntil > now
    ? [secret, previousSecret]
    : [secret]

/** Sends a message once. Never rejects. */
export async function sendMessage(
  { id, payload }: Pick<DeliveryRecord, 'id' | 'payload'>,
  { url, secrets, ...networks }: Destination,
  { now, timeoutMs }: { readonly now: number; readonly timeoutMs: number },
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc-webhooks/1',
    ...webhookHeaders({ id, sentAt: now, body: payload }, secrets),
  }
  return requestOnce(new URL(url), { headers, body: payload, timeoutMs, ...networks })
}

/** Sends a request once. Never rejects. */
export async function requestOnce(url: URL, options: PostOptions): Promise<Outcome> {
  try {
    const { status, retryAfter, isTimeout } = await post(url, options)
    const isDelivered = status >= 200 && status < 300
    const isRedirect = status >= 300 && status < 400
    const refusal = isRedirect ? deliveryErrors.redirect : deliveryErrors.refused
    return {
      isDelivered,
      isFinal: status === goneStatus,
      status,
      error: isDelivered ? null : refusal,
      isTimeout,
      retryAfter,
    }
  } catch (error) {
    return {
      isDelivered: false,
      isFinal: false,
      status: null,
      error: error instanceof UndeliveredError ? error.message : deliveryErrors.other,
      isTimeout: error instanceof UndeliveredError && error.isTimeout,
    }
  }
}
