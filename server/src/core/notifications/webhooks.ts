import { limits, type Delivery, type NewWebhook, type Webhook, type WebhookUpdate } from '@svc/contract'
import { randomId } from '../../domain/ids.ts'
import type { DeliveryRecord, WebhookRecord } from '../../domain/notification-records.ts'
import { bit } from '../../domain/records.ts'
import { requireStorable } from '../../domain/text/storable-text.ts'
import { newWebhookSecret } from '../../outgoing/webhook-signature.ts'
import type { WebhookChanges } from '../../metadata/notifications/webhooks.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import type { Service } from '../service.ts'
import { parseKinds, serializeKinds } from './events/event.ts'
import { deliveryNotFound, tooManyWebhooks, webhookNotFound } from './notification-errors.ts'
import { checkedURL } from './webhook-url.ts'

/** How long the previous secret signs after a rotation, in ms. */
const rotationMs = 24 * 3_600_000

type Parts = Pick<Service, 'clock' | 'config' | 'random' | 'store'>

/**
 * Creates a webhook. Only this result has its secret.
 * @throws ServiceError `invalid_request`, `too_many_webhooks`, `invalid_session` when the user is deleted
 */
export async function createWebhook(
  service: Parts,
  userId: string,
  { url, events, description = '', enabled = true }: NewWebhook,
): Promise<Webhook> {
  const { store, clock, random, config } = service
  const { webhooksPerUser } = config.notifications
  requireStorable('description', description)
  const row: WebhookRecord = {
    id: randomId(random),
    userId,
    url: checkedURL(service, url),
    events: serializeKinds(events),
    description,
    enabled: bit(enabled),
    secret: newWebhookSecret(random),
    previousSecret: null,
    previousUntil: null,
    createdAt: clock.now(),
  }
  // Parallel requests can exceed the limit by their number.
  if ((await store.webhooks.list(userId, webhooksPerUser + 1)).length >= webhooksPerUser)
    throw tooManyWebhooks(webhooksPerUser)
  await writeForUser(service, userId, () => store.webhooks.insert(row))
  return { ...describeWebhook(row, clock.now()), secret: row.secret }
}

export async function listWebhooks({ store, clock }: Parts, userId: string): Promise<Webhook[]> {
  const now = clock.now()
  return (await store.webhooks.list(userId, limits.pageMax)).map((row) => describeWebhook(row, now))
}

/** @throws ServiceError `invalid_request`, `webhook_not_found` */
export async function updateWebhook(
  service: Parts,
  userId: string,
  id: string,
  { url, events, description, enabled }: WebhookUpdate,
): Promise<Webhook> {
  requireStorable('description', description ?? '')
  const changes: WebhookChanges = {
    ...(url !== undefined && { url: checkedURL(service, url) }),
    ...(events !== undefined && { events: serializeKinds(events) }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled: bit(enabled) }),
  }
  return change(service, userId, id, changes)
}

/**
 * Replaces the secret. The previous one signs as well for a day.
 * @throws ServiceError `webhook_not_found`
 */
export async function rotateSecret(service: Parts, userId: string, id: string): Promise<Webhook> {
  const { secret: previousSecret } = await findWebhook(service, userId, id)
  const secret = newWebhookSecret(service.random)
  const changes = { secret, previousSecret, previousUntil: service.clock.now() + rotationMs }
  return { ...(await change(service, userId, id, changes)), secret }
}

/** @throws ServiceError `webhook_not_found` */
export async function removeWebhook({ store }: Parts, userId: string, id: string): Promise<void> {
  if (!(await store.transaction(({ webhooks }) => webhooks.remove(userId, id)))) throw webhookNotFound()
}

/** @throws ServiceError `webhook_not_found` */
export async function findWebhook(
  { store }: Pick<Service, 'store'>,
  userId: string,
  id: string,
): Promise<WebhookRecord> {
  const found = await store.webhooks.find(userId, id)
  if (found === undefined) throw webhookNotFound()
  return found
}

/**
 * Sends a message again.
 * @throws ServiceError `delivery_not_found`, `webhook_not_found`
 */
export async function replayDelivery(
  service: Parts & Pick<Service, 'notifications'>,
  userId: string,
  { webhookID, deliveryID }: { readonly webhookID: string; readonly deliveryID: string },
): Promise<Delivery> {
  const { store, clock, notifications } = service
  await findWebhook(service, userId, webhookID)
  // Before another instance can claim it.
  const row = await store.transaction(async ({ outbox }) => {
    const isDue = await outbox.replay(deliveryID, webhookID, clock.now())
    return isDue ? outbox.find(deliveryID, webhookID) : undefined
  })
  if (row === undefined) throw deliveryNotFound()
  notifications.outbox.wake()
  return describeDelivery(row)
}

async function change(service: Parts, userId: string, id: string, changes: WebhookChanges): Promise<Webhook> {
  const { store, clock } = service
  if (Object.keys(changes).length > 0 && !(await store.webhooks.update(userId, id, changes)))
    throw webhookNotFound()
  return describeWebhook(await findWebhook(service, userId, id), clock.now())
}

const dateOf = (ms: number): string => new Date(ms).toISOString()

const describeWebhook = (row: WebhookRecord, now: number): Webhook => ({
  id: row.id,
  url: row.url,
  events: parseKinds(row.events),
  description: row.description,
  enabled: row.enabled === 1,
  ...(row.previousUntil !== null &&
    row.previousUntil > now && { previousSecretUntil: dateOf(row.previousUntil) }),
  createdAt: dateOf(row.createdAt),
})

export const describeDelivery = (row: DeliveryRecord): Delivery => ({
  id: row.id,
  event: row.event,
  status: row.finishedAt === null ? 'pending' : row.delivered === 1 ? 'delivered' : 'failed',
  attempts: row.attempts,
  createdAt: dateOf(row.createdAt),
  ...(row.dueAt !== null && { nextAttemptAt: dateOf(row.dueAt) }),
  ...(row.finishedAt !== null && { finishedAt: dateOf(row.finishedAt) }),
  ...(row.responseStatus !== null && { responseStatus: row.responseStatus }),
  error: row.error,
  payload: row.payload,
})
