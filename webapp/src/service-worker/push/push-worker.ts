import type { WorkerScope } from '../worker-scope.ts'
import { base, openPage, showPush } from './push-messages.ts'
import { renewSubscription } from './renew-subscription.ts'

// The service worker of push messages. It is separate from that of an installed application, because it stores nothing on
// the device. The page names its language in the address of the script.
const worker = self as unknown as WorkerScope
const language = new URL(worker.location.href).searchParams.get('language') ?? ''

worker.addEventListener('install', (event) => {
  event.waitUntil(worker.skipWaiting())
})
worker.addEventListener('push', (event) => {
  event.waitUntil(showPush(worker, language, event.data?.text() ?? ''))
})
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(worker, event.notification.data))
})
worker.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(renewSubscription(worker, base(worker), event))
})
