import { createECDH } from 'node:crypto'
import { isIP } from 'node:net'
import type { NewPushSubscription, PushSettings, PushSubscription } from '@svc/contract'
import { addressMatcher, hostIn } from '../../domain/access/addresses.ts'
import { invalidRequest } from '../../domain/errors.ts'
import type { PushSubscriptionRecord } from '../../domain/notification-records.ts'
import { writeForUser } from '../accounts/write-for-user.ts'
import type { Service } from '../service.ts'
import { idOfOnce, parseKinds, serializeKinds } from './events/event.ts'
import { pushSubscriptionNotFound } from './notification-errors.ts'
import { checkedURL } from './webhook-url.ts'

/** The maximum number of browsers of a user. A new one replaces the oldest. */
const maxSubscriptions = 20

type Parts = Pick<Service, 'clock' | 'config' | 'notifications' | 'store'>

export const describePush = async (
  { store, notifications }: Parts,
  userId: string,
): Promise<PushSettings> => ({
  publicKey: notifications.vapid.publicKey,
  subscriptions: (await store.pushSubscriptions.list(userId, maxSubscriptions)).map(describe),
})

/**
 * Adds a browser, or changes the events of one that is known, or of one whose subscription the browser has renewed.
 * @throws ServiceError `invalid_request`, `invalid_session` when the user is deleted
 */
export async function putPushSubscription(
  service: Parts,
  userId: string,
  { endpoint, keys, events, replaces }: NewPushSubscription,
): Promise<PushSubscription> {
  const url = checkedURL(service, endpoint)
  // Push services have https; an address of a network that the operator allows may have http.
  const isAllowed = addressMatcher(service.config.notifications.privateNetworks)
  const host = hostIn(new URL(url))
  if (!url.startsWith('https:') && (isIP(host) === 0 || !isAllowed(host)))
    throw invalidRequest('the endpoint must be an https address')
  const { p256dh, auth } = checkedKeys(keys)
  const { pushSubscriptions: table } = service.store
  const id = idOfOnce(url, userId)
  const replaced = replaces === undefined ? undefined : idOfOnce(URL.parse(replaces)?.href ?? '', userId)
  const known = (await table.find(id)) ?? (replaced === undefined ? undefined : await table.find(replaced))
  const kinds = events === undefined ? known?.events : serializeKinds(events)
  if (kinds === undefined) throw invalidRequest('events must not be missing for a new subscription')
  const createdAt = service.clock.now()
  const row: PushSubscriptionRecord = { id, userId, endpoint: url, p256dh, auth, events: kinds, createdAt }
  await writeForUser(service, userId, () =>
    service.store.transaction(async ({ pushSubscriptions }) => {
      await pushSubscriptions.put(row)
      if (replaced !== undefined && replaced !== id) await pushSubscriptions.remove(userId, replaced)
      await pushSubscriptions.removeOldest(userId, maxSubscriptions)
    }),
  )
  return describe(row)
}

/** @throws ServiceError `push_subscription_not_found` */
export async function removePushSubscription({ store }: Parts, userId: string, id: string): Promise<void> {
  const isRemoved = await store.transaction(({ pushSubscriptions }) => pushSubscriptions.remove(userId, id))
  if (!isRemoved) throw pushSubscriptionNotFound()
}

/** @throws ServiceError `invalid_request` for keys with which no message can be encrypted */
function checkedKeys({ p256dh, auth }: NewPushSubscription['keys']): NewPushSubscription['keys'] {
  const [point, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')]
  if (point.length !== 65 || secret.length !== 16)
    throw invalidRequest('the keys of the subscription are invalid')
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(point)
  } catch (cause) {
    throw invalidRequest('the keys of the subscription are invalid', cause)
  }
  return { p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
}

/** The endpoint is a secret: only its push service is shown. */
const describe = ({ id, endpoint, events, createdAt }: PushSubscriptionRecord): PushSubscription => ({
  id,
  service: new URL(endpoint).host,
  events: parseKinds(events),
  createdAt: new Date(createdAt).toISOString(),
})
