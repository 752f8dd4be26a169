import * as Type from 'typebox'
import type { Static } from 'typebox'
import { limits } from '../base/limits.ts'
import { nullable } from './nullable.ts'

/** What an account can be notified of (docs/notifications.md#events). */
export const eventKinds = [
  'upload.first_download',
  'upload.downloaded',
  'upload.expiring',
  'request.received',
  'limits.near',
] as const
export const EventKind = Type.Enum([...eventKinds], {
  title: 'EventKind',
  description:
    '`upload.first_download`: an upload was downloaded for the first time; `upload.downloaded`: a file or an archive was downloaded completely; `upload.expiring`: an upload expires within a day; `request.received`: files have arrived for an upload request of the account; `limits.near`: the files of the account fill nine tenths of its quota.',
})
export type EventKind = (typeof eventKinds)[number]

const dateTime = Type.String({ format: 'date-time' })

/** Data of an event about an upload. */
export const UploadEventData = Type.Object({
  uploadID: Type.String(),
  fileID: Type.Optional(Type.String({ description: 'Absent for an archive of all files.' })),
  result: Type.Optional(Type.String({ description: 'How the download ended, as in `Download`.' })),
  bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes that were sent.' })),
  expireAt: Type.Optional(dateTime),
})
export type UploadEventData = Static<typeof UploadEventData>

/** Data of the event `request.received`. */
export const ReceivedEventData = Type.Object({
  requestID: Type.String(),
  uploadID: Type.String(),
  files: Type.Integer({ minimum: 1, description: 'Files of the upload that have arrived so far.' }),
  size: Type.Integer({ minimum: 0, description: 'Their bytes.' }),
})
export type ReceivedEventData = Static<typeof ReceivedEventData>

/** Data of the event `limits.near`. */
export const LimitsEventData = Type.Object({
  usedSize: Type.Integer({ minimum: 0, description: 'Bytes that count against the quota.' }),
  maxUserSize: Type.Integer({ minimum: 1, description: 'The quota in bytes.' }),
})
export type LimitsEventData = Static<typeof LimitsEventData>

/** The body of a webhook request, and the data of a server-sent event. */
export type EventBody =
  | {
      readonly type: Exclude<EventKind, 'limits.near' | 'request.received'>
      readonly timestamp: string
      readonly data: UploadEventData
    }
  | { readonly type: 'request.received'; readonly timestamp: string; readonly data: ReceivedEventData }
  | { readonly type: 'limits.near'; readonly timestamp: string; readonly data: LimitsEventData }

const url = Type.String({
  minLength: 1,
  maxLength: limits.webhookURLLength,
  description: 'An `https` or `http` address.',
})
const events = Type.Array(EventKind, {
  minItems: 1,
  uniqueItems: true,
  description: 'The events that the webhook receives.',
})
const description = Type.String({ maxLength: limits.commentLength })
const enabled = Type.Boolean({ description: 'A webhook that is not enabled receives no new events.' })

/** A webhook of an account (docs/notifications.md#webhooks). */
export const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(EventKind),
    description: Type.String(),
    enabled: Type.Boolean({
      description: 'False: it receives no new events. The server sets this after a response with status 410.',
    }),
    secret: Type.Optional(
      Type.String({
        description:
          'Signs the requests. Only in the response that creates the webhook or rotates its secret.',
      }),
    ),
    previousSecretUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then, the previous secret signs the requests as well.',
      }),
    ),
    createdAt: dateTime,
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

export const NewWebhook = Type.Object(
  { url, events, description: Type.Optional(description), enabled: Type.Optional(enabled) },
  { title: 'NewWebhook' },
)
export type NewWebhook = Static<typeof NewWebhook>

export const WebhookUpdate = Type.Partial(Type.Object({ url, events, description, enabled }), {
  title: 'WebhookUpdate',
})
export type WebhookUpdate = Static<typeof WebhookUpdate>

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const

/** A message to one webhook, and the state of its delivery. */
export const Delivery = Type.Object(
  {
    id: Type.String({ description: 'The header `webhook-id` of its requests.' }),
    event: Type.String(),
    status: Type.Enum([...deliveryStatuses], {
      description: '`pending`: it will be sent, or sent again; `failed`: no further attempt follows.',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    createdAt: dateTime,
    nextAttemptAt: Type.Optional(dateTime),
    finishedAt: Type.Optional(dateTime),
    responseStatus: Type.Optional(Type.Integer({ description: 'The status of the last response.' })),
    error: nullable({ description: 'Why the last attempt failed; null if it did not.' }),
    payload: Type.String({ description: 'The body of the request.' }),
  },
  { title: 'Delivery' },
)
export interface Delivery extends Static<typeof Delivery> {
  status: (typeof deliveryStatuses)[number]
}

const kinds = Type.Array(EventKind, { uniqueItems: true, description: 'The events that are sent by email.' })

/** What an account is notified of, and how (docs/notifications.md). */
export const NotificationSettings = Type.Object(
  {
    email: Type.Object({
      available: Type.Boolean({ description: 'Whether this server sends email.' }),
      address: Type.String({ description: 'The address of the profile; empty without one.' }),
      confirmed: Type.Boolean({ description: 'Messages are only sent to an address that is confirmed.' }),
      events: kinds,
    }),
  },
  { title: 'NotificationSettings' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const NotificationSettingsUpdate = Type.Object(
  { email: Type.Optional(Type.Object({ events: Type.Optional(kinds) })) },
  { title: 'NotificationSettingsUpdate' },
)
export type NotificationSettingsUpdate = Static<typeof NotificationSettingsUpdate>

export const EmailConfirmation = Type.Object(
  { code: Type.String({ maxLength: 100, description: 'The code of the message.' }) },
  { title: 'EmailConfirmation' },
)
export type EmailConfirmation = Static<typeof EmailConfirmation>

/** A subscription as `PushSubscription.toJSON()` of a browser has it (Push API), and what it receives. */
export const NewPushSubscription = Type.Object(
  {
    endpoint: url,
    keys: Type.Object({
      p256dh: Type.String({ maxLength: 100, description: 'Public key of the browser, in base64url.' }),
      auth: Type.String({ maxLength: 100, description: 'Secret of the browser, in base64url.' }),
    }),
    events: Type.Optional(
      Type.Array(EventKind, {
        minItems: 1,
        uniqueItems: true,
        description:
          'Absent: those of the subscription with this endpoint, or of the one that this one replaces.',
      }),
    ),
    replaces: Type.Optional(
      Type.String({
        maxLength: limits.webhookURLLength,
        description: 'The endpoint of a subscription that the browser has renewed. It is removed.',
      }),
    ),
  },
  { title: 'NewPushSubscription' },
)
export type NewPushSubscription = Static<typeof NewPushSubscription>

/** A browser that receives push messages. */
export const PushSubscription = Type.Object(
  {
    id: Type.String(),
    service: Type.String({ description: 'Host of the push service of the browser.' }),
    events: Type.Array(EventKind),
    createdAt: dateTime,
  },
  { title: 'PushSubscription' },
)
export type PushSubscription = Static<typeof PushSubscription>

export const PushSettings = Type.Object(
  {
    publicKey: Type.String({
      description: '`applicationServerKey` for subscriptions (VAPID, RFC 8292), in base64url.',
    }),
    subscriptions: Type.Array(PushSubscription),
  },
  { title: 'PushSettings' },
)
export type PushSettings = Static<typeof PushSettings>
