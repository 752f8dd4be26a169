import type { NewPushSubscription } from '@svc/contract'
import type { WorkerScope, WorkerSubscriptionChangeEvent } from '../worker-scope.ts'

/** As in the contract, of which a worker cannot import values: it is a single file. */
const xsrf = { cookie: 'svc-xsrf', header: 'x-xsrftoken' } as const

/**
 * Reports a subscription that the browser has renewed to the server, with the session of the page. Where that is not possible,
 * nothing happens: without a session, no messages should arrive.
 */
export async function renewSubscription(
  worker: WorkerScope,
  base: URL,
  {
    oldSubscription,
    newSubscription,
  }: Pick<WorkerSubscriptionChangeEvent, 'newSubscription' | 'oldSubscription'>,
): Promise<void> {
  // The server knows the events of the browser by the old one.
  const replaces = oldSubscription?.endpoint
  const token = (await worker.cookieStore?.get(xsrf.cookie))?.value
  if (replaces === undefined || token === undefined) return
  const renewed = newSubscription ?? (await subscribeAgain(worker, oldSubscription))
  const { endpoint, keys } = renewed?.toJSON() ?? {}
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return
  const body: NewPushSubscription = { endpoint, keys: { p256dh, auth }, replaces }
  try {
    // Its refusal means that the session has ended, or that the subscription was removed.
    await worker.fetch(new URL('me/push', base), {
      method: 'POST',
      headers: { 'content-type': 'application/json', [xsrf.header]: token },
      body: JSON.stringify(body),
    })
  } catch {
    // Without a connection, the page finds the new subscription when it is open again.
  }
}

async function subscribeAgain(
  { registration }: WorkerScope,
  old: PushSubscription | null | undefined,
): Promise<PushSubscription | undefined> {
  const key = old?.options.applicationServerKey
  if (key === null || key === undefined) return undefined
  try {
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch {
    return undefined // The visitor has withdrawn the permission.
  }
}
