import { eventKinds, type EventKind } from '@svc/contract'
import { randomId, type Random } from '../../../domain/ids.ts'
import type { Channel, DeliveryRecord, EventRecord } from '../../../domain/notification-records.ts'
import type { MetadataStore } from '../../../metadata/store.ts'
import { idOfOnce, type Event } from './event.ts'
import { subscriptionsOf, type Subscription } from './subscriptions.ts'

/**
 * The maximum number of messages to a target in the outbox. Anyone who has a link can cause messages about downloads, so they
 * leave some for others.
 */
const maxMessages = { ofAccount: 2_000, ofServer: 10_000 }

/** The share of `maxMessages` that messages about downloads leave to others. */
const reservedShare = 0.25

const downloadKinds: readonly EventKind[] = ['upload.first_download', 'upload.downloaded']

/** The number of delivered messages that are deleted together to make room for new ones. */
const removedTogether = 500

/** The event of the message that confirms an address. */
export const confirmationEvent = 'email.confirm'

/** The maximum number of events of an account that are kept for streams of events. */
const keptEvents = 1_000

/** The target of messages to the webhook of the server. */
const serverTarget = 'server'

/** The events whose emails to an account are limited together. Others cause the events of the first two groups. */
const emailGroups = {
  'upload.first_download': 'downloads',
  'upload.downloaded': 'downloads',
  'request.received': 'arrivals',
  'upload.expiring': 'account',
  'limits.near': 'account',
} as const satisfies Record<EventKind, string>

/** The maximum number of emails to an account about the events of a group within an hour. */
const maxEmails = 10

const hourMs = 3_600_000

/** The target of the email of an account: the address is read when a message is sent. */
export const emailTarget = (userId: string): string => idOfOnce(userId, 'email')

export interface Publisher {
  readonly random: Random
  /** Whether the server has a webhook. */
  readonly hasServerWebhook: boolean
  /** Whether the server sends email. */
  readonly hasEmail: boolean
  /** Called with the number of messages that had no room. */
  readonly onDropped: (count: number) => void
}

/** Where a message goes. */
interface Target {
  readonly channel: Channel
  readonly target: string
}

/**
 * Adds a message to the outbox for each target that receives an event, in a transaction with the change that it reports.
 * @param now ms
 */
export async function publish(
  transaction: MetadataStore,
  publisher: Publisher,
  events: readonly Event[],
  now: number,
): Promise<void> {
  if (events.length === 0) return
  const subscriptions = await subscriptionsOf(
    transaction,
    events.map(({ userId }) => userId),
    now,
  )
  const subscriptionFor = (event: Event) => subscriptions.get(event.userId ?? '')
  const messages = events.flatMap((event) =>
    targetsOf(event, subscriptionFor(event), publisher).map((target) =>
      messageOf(event, target, publisher.random, now),
    ),
  )
  for (const [target, toTarget] of Map.groupBy(messages, (message) => message.target)) {
    const added = await withinRoom(
      transaction,
      target,
      await withinEmailBudget(transaction, toTarget, now),
      now,
    )
    await transaction.outbox.add(added)
    const dropped = toTarget.length - added.length
    if (dropped > 0) publisher.onDropped(dropped)
  }
  await keepForStreams(
    transaction,
    events.filter((event) => subscriptionFor(event)?.isListening === true),
    publisher.random,
    now,
  )
}

function targetsOf(
  { userId, body: { type: kind } }: Event,
  subscription: Subscription | undefined,
  { hasServerWebhook, hasEmail }: Publisher,
): Target[] {
  const webhooks = subscription?.webhooks.filter(({ kinds }) => kinds.has(kind)) ?? []
  const pushes = subscription?.pushes.filter(({ kinds }) => kinds.has(kind)) ?? []
  return [
    ...webhooks.map(({ id }): Target => ({ channel: 'webhook', target: id })),
    ...pushes.map(({ id }): Target => ({ channel: 'push', target: id })),
    ...(hasEmail && userId !== null && subscription?.emailKinds.has(kind) === true
      ? [{ channel: 'email', target: emailTarget(userId) } as const]
      : []),
    ...(hasServerWebhook ? [{ channel: 'server', target: serverTarget } as const] : []),
  ]
}

const messageOf = (
  { userId, once, body }: Event,
  { channel, target }: Target,
  random: Random,
  now: number,
): DeliveryRecord => ({
  id: once === undefined ? randomId(random) : idOfOnce(once, `${target} ${userId ?? ''}`),
  userId: channel === 'server' ? null : userId,
  channel,
  target,
  event: body.type,
  payload: JSON.stringify(body),
  ...emptyMessage(now),
})

/** The state of a message that is due at once. */
export const emptyMessage = (now: number) =>
  ({
    attempts: 0,
    createdAt: now,
    dueAt: now,
    claim: null,
    responseStatus: null,
    error: null,
    delivered: 0,
    finishedAt: null,
  }) as const

/** Leaves out the messages by email that an account gets too many of within an hour. */
async function withinEmailBudget(
  { outbox }: Pick<MetadataStore, 'outbox'>,
  messages: readonly DeliveryRecord[],
  now: number,
): Promise<readonly DeliveryRecord[]> {
  const first = messages.find(({ channel }) => channel === 'email')
  if (first === undefined) return messages
  const dropped = new Set<DeliveryRecord>()
  for (const kinds of Map.groupBy(eventKinds, (kind) => emailGroups[kind]).values()) {
    const emails = messages.filter(
      ({ channel, event }) => channel === 'email' && kinds.some((kind) => kind === event),
    )
    if (emails.length === 0) continue
    const left = maxEmails - (await outbox.countSince(first.target, kinds, now - hourMs, maxEmails))
    for (const message of emails.slice(left)) dropped.add(message)
  }
  return messages.filter((message) => !dropped.has(message))
}

/** Leaves out the messages to a target for which it has no room. */
async function withinRoom(
  transaction: Pick<MetadataStore, 'outbox'>,
  target: string,
  messages: readonly DeliveryRecord[],
  now: number,
): Promise<readonly DeliveryRecord[]> {
  const max = target === serverTarget ? maxMessages.ofServer : maxMessages.ofAccount
  const isAboutDownload = ({ event }: DeliveryRecord) => downloadKinds.some((kind) => kind === event)
  const { downloads = [], others = [] } = Object.groupBy(messages, (message) =>
    isAboutDownload(message) ? 'downloads' : 'others',
  )
  const reserved = downloads.length > 0 ? Math.max(others.length, max * reservedShare) : others.length
  const room = await makeRoom(transaction, { target, max, wanted: reserved + downloads.length, now })
  return [...others.slice(0, room), ...downloads.slice(0, Math.max(0, room - reserved))]
}

/**
 * Deletes the oldest finished messages to a target that has too many.
 * @returns how many messages may be added
 */
async function makeRoom(
  { outbox }: Pick<MetadataStore, 'outbox'>,
  { target, max, wanted, now }: { target: string; max: number; wanted: number; now: number },
): Promise<number> {
  for (;;) {
    const room = max - (await outbox.countTo(target, max))
    if (room >= wanted || (await outbox.removeOldest(target, removedTogether, now - hourMs)) === 0)
      return room
  }
}

/** Adds the message with which a user confirms an address. */
export async function publishConfirmation(
  transaction: MetadataStore,
  { userId, random, now }: { readonly userId: string; readonly random: Random; readonly now: number },
): Promise<void> {
  const message: DeliveryRecord = {
    ...emptyMessage(now),
    id: randomId(random),
    userId,
    channel: 'email',
    target: emailTarget(userId),
    event: confirmationEvent,
    // The code is made when the message is sent.
    payload: '{}',
  }
  await transaction.outbox.add([message])
}

async function keepForStreams(
  { events: table }: Pick<MetadataStore, 'events'>,
  events: readonly Event[],
  random: Random,
  now: number,
): Promise<void> {
  const rows = events.map(({ userId, once, body }): EventRecord => ({
    userId: userId ?? '',
    createdAt: now,
    id: once === undefined ? randomId(random) : idOfOnce(once, 'stream'),
    type: body.type,
    payload: JSON.stringify(body),
  }))
  for (const [userId, ofUser] of Map.groupBy(rows, (row) => row.userId)) {
    const ids = ofUser.map(({ id }) => id)
    const known = await table.findKnown(userId, ids)
    await table.add(ofUser.filter(({ id }) => !known.has(id)))
    await table.trim(userId, keptEvents)
  }
}
