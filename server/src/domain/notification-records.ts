/** Rows of the tables of notifications. */
import type { Bit } from './records.ts'

/** A webhook of a user. */
export interface WebhookRecord {
  readonly id: string
  readonly userId: string
  readonly url: string
  /** The kinds of events that it receives, separated by spaces. */
  readonly events: string
  readonly description: string
  readonly enabled: Bit
  /** Signs requests, so it is stored as it is: `whsec_` and base64. */
  readonly secret: string
  /** The secret before the last rotation, which signs as well until `previousUntil`. */
  readonly previousSecret: string | null
  readonly previousUntil: number | null
  readonly createdAt: number
}

/** How a message is sent. */
export type Channel = 'webhook' | 'server' | 'email' | 'push'

/** The event of a message that sends the link of an upload to an address. Its payload is deleted with its last attempt. */
export const linkMailEvent = 'upload.mailed'

/** A message in the outbox. It is sent at least once; its result is recorded once. */
export interface DeliveryRecord {
  readonly id: string
  /** Null for a message to the webhook of the server. */
  readonly userId: string | null
  readonly channel: Channel
  /** The id of a webhook or a push subscription; `server` for the webhook of the server; a digest of the user for email. */
  readonly target: string
  readonly event: string
  /** The body of the request. */
  readonly payload: string
  /** The number of finished attempts. */
  readonly attempts: number
  readonly createdAt: number
  /** The time of the next attempt, or the end of the lease of the current one; null when it is finished. */
  readonly dueAt: number | null
  /** The claim of the instance that is sending it. */
  readonly claim: string | null
  readonly responseStatus: number | null
  /** Why the last attempt failed. */
  readonly error: string | null
  readonly delivered: Bit
  /** When it was delivered, or given up. */
  readonly finishedAt: number | null
}

/** What a user is notified of, and how. */
export interface NotificationSettingsRecord {
  readonly userId: string
  /** The kinds of events that are sent by email, separated by spaces. */
  readonly emailEvents: string
  /** The address whose link the user has opened; null for none. */
  readonly verifiedEmail: string | null
  /** The language of messages; empty for English. */
  readonly language: string
  /** Events are kept for the streams of events of the user until then; 0 if there were none. */
  readonly listeningUntil: number
}

/** An event that streams of events show. */
export interface EventRecord {
  readonly userId: string
  readonly createdAt: number
  readonly id: string
  readonly type: string
  readonly payload: string
}

/** A browser that receives push messages of a user. */
export interface PushSubscriptionRecord {
  /** Derived from user and endpoint. */
  readonly id: string
  readonly userId: string
  /** The address of the browser at its push service, which is a secret of the two. */
  readonly endpoint: string
  /** The public key and the secret of the browser, in base64url. */
  readonly p256dh: string
  readonly auth: string
  /** The kinds of events that it receives, separated by spaces. */
  readonly events: string
  readonly createdAt: number
}
