import { randomId, type Random } from '../../domain/ids.ts'
import type { DeliveryRecord } from '../../domain/records.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { idOfOnce, parseKinds, type Event } from './event.ts'

/** The maximum number of messages of an account, and of the webhook of the server, in the outbox. */
export const maxMessages = 10_000

/** The number of delivered messages that are deleted together to make room for new ones. */
const removedTogether = 500

/** The target of messages to the webhook of the server. */
export const serverTarget = 'server'

export interface Publisher {
  readonly random: Random
  /** Whether the server has a webhook. */
  readonly hasServerWebhook: boolean
  /** Called with the number of messages that had no room. */
  readonly onDropped: (count: number) => void
}

/** The users among some who receive events by any way. */
export async function subscribersAmong(
  { webhooks }: Pick<MetadataStore, 'webhooks'>,
  userIds: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(userIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Set()
  return new Set((await webhooks.enabledOf(ids)).map(({ userId }) => userId))
}

/**
 * Adds a message to the outbox for each target that receives an event, in a transaction with the change that it reports.
 * @returns how many messages were added
 */
export async function publish(
  transaction: Pick<MetadataStore, 'outbox' | 'webhooks'>,
  { random, hasServerWebhook, onDropped }: Publisher,
  events: readonly Event[],
  now: number,
): Promise<number> {
  if (events.length === 0) return 0
  const messageOf = (event: Event, target: string): DeliveryRecord => ({
    id: event.once === undefined ? randomId(random) : idOfOnce(event.once, target),
    userId: target === serverTarget ? null : event.userId,
    channel: target === serverTarget ? 'server' : 'webhook',
    target,
    event: event.body.type,
    payload: JSON.stringify(event.body),
    attempts: 0,
    createdAt: now,
    dueAt: now,
    claim: null,
    responseStatus: null,
    error: null,
    delivered: 0,
    finishedAt: null,
  })
  const owners = [...new Set(events.map(({ userId }) => userId).filter((id) => id !== null))]
  const webhooks = owners.length === 0 ? [] : await transaction.webhooks.enabledOf(owners)
  const byOwner = Map.groupBy(webhooks, ({ userId }) => userId)
  const messages = events.flatMap((event) => {
    const ofOwner = event.userId === null ? [] : (byOwner.get(event.userId) ?? [])
    const targets = ofOwner.filter(({ events: kinds }) => parseKinds(kinds).includes(event.body.type))
    return [...targets.map(({ id }) => id), ...(hasServerWebhook ? [serverTarget] : [])].map((target) =>
      messageOf(event, target),
    )
  })
  let added = 0
  for (const [userId, all] of Map.groupBy(messages, (message) => message.userId)) {
    const room = await makeRoom(transaction, userId, all.length)
    await transaction.outbox.add(all.slice(0, room))
    added += Math.min(room, all.length)
    if (room < all.length) onDropped(all.length - room)
  }
  return added
}

/**
 * Deletes the oldest finished messages of an account that has too many.
 * @returns how many messages it may add
 */
async function makeRoom(
  { outbox }: Pick<MetadataStore, 'outbox'>,
  userId: string | null,
  wanted: number,
): Promise<number> {
  for (;;) {
    const room = maxMessages - (await outbox.countOf(userId, maxMessages))
    if (room >= wanted || (await outbox.removeOldest(userId, removedTogether)) === 0) return room
  }
}
