import type { EventKind, PushSubscription as AccountSubscription } from '@svc/contract'
import { ApiError } from '@svc/sdk'
import { api } from '../api/api.ts'
import { deviceStorage, readStored, writeStored } from '../base/browser/storage.ts'
import { pushIDKey as idKey } from './push-id.ts'
import { activated } from '../service-worker/activated.ts'

/** The scope of the worker: no page is in this folder, so the worker controls none. */
const folder = 'push/'
const script = 'push-worker.js'

export const hasPush = () =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const scope = () => new URL(folder, document.baseURI).href

/** The worker gets its language in its address. A registration keeps its subscription when the address changes. */
const register = (language: string) =>
  navigator.serviceWorker.register(
    new URL(`${script}?language=${encodeURIComponent(language)}`, document.baseURI),
    { scope: scope() },
  )

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(scope())
  // Without one of this scope, the browser may name that of the installed application.
  return registration?.scope === scope() ? registration.pushManager.getSubscription() : null
}

async function subscribe(publicKey: string, language: string): Promise<PushSubscription> {
  const registration = await register(language)
  await activated(registration)
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await registration.pushManager.subscribe(options)
  } catch (error) {
    // A subscription with another key of the server, which has a new database.
    if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error
    await (await registration.pushManager.getSubscription())?.unsubscribe()
    return registration.pushManager.subscribe(options)
  }
}

/** The subscription of this browser, among those of the account. */
export async function findOwn(
  subscriptions: readonly AccountSubscription[],
): Promise<AccountSubscription | undefined> {
  if (!hasPush()) return undefined
  const id = readStored(deviceStorage, idKey)
  const here = id === null ? null : await subscriptionHere()
  if (here === null) return undefined
  const own = subscriptions.find((subscription) => subscription.id === id)
  if (own !== undefined) return own
  const renewed = await knownID(here)
  return subscriptions.find((subscription) => subscription.id === renewed)
}

/** The id of a subscription that the worker has renewed; undefined if the server does not know it. */
async function knownID(subscription: PushSubscription): Promise<string | undefined> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return undefined
  try {
    const { id } = await api.putMyPush({ endpoint, keys: { p256dh, auth } })
    writeStored(deviceStorage, idKey, id)
    return id
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return undefined
    throw error
  }
}

/**
 * Subscribes this browser, or changes its events.
 * @throws ApiError; DOMException from the browser
 */
export async function turnPushOn(
  publicKey: string,
  language: string,
  events: readonly EventKind[],
): Promise<void> {
  const { endpoint, keys } = (await subscribe(publicKey, language)).toJSON()
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new DOMException('the subscription of the browser has no keys', 'NotSupportedError')
  const { id } = await api.putMyPush({ endpoint, keys: { p256dh, auth }, events: [...events] })
  writeStored(deviceStorage, idKey, id)
}

/**
 * Ends the subscription of this browser.
 * @param id of the subscription
 * @throws ApiError
 */
export async function turnPushOff(id: string): Promise<void> {
  await api.removeMyPush(id)
  writeStored(deviceStorage, idKey, null)
  await (await subscriptionHere())?.unsubscribe()
}

/** Ends the subscription of this browser, if it has one, before its user signs out. */
export async function endPush(): Promise<void> {
  const id = readStored(deviceStorage, idKey)
  if (id === null) return
  const here = hasPush() ? await subscriptionHere() : null
  await turnPushOff((here && (await knownID(here))) ?? id)
}

/** Shows the next push messages in another language, if this browser receives any. */
export async function setPushLanguage(language: string): Promise<void> {
  if (hasPush() && readStored(deviceStorage, idKey) !== null && (await subscriptionHere()) !== null)
    await register(language)
}
