import type { WorkerScope } from '../worker-scope.ts'
import { pushNotification } from './push-notification.ts'

/** The folder of the application. The scope of this worker is a folder in it. */
export const base = ({ registration }: WorkerScope) => new URL('..', registration.scope)

/**
 * Shows a push message.
 * @param text its content
 */
export async function showPush(worker: WorkerScope, language: string, text: string): Promise<void> {
  const { title, body, language: lang, direction: dir, tag, time, hash } = pushNotification(language, text)
  await worker.registration.showNotification(title, {
    body,
    lang,
    dir,
    tag,
    icon: new URL('icon-192.png', base(worker)).href,
    data: hash,
    ...(!Number.isNaN(time) && { timestamp: time }),
  })
}

/**
 * Opens the page of a message. Always in a new window: the browser does not know which page an open window shows, because pages
 * differ only behind the `#`.
 * @param hash of the page, from `showPush`
 */
export async function openPage(worker: WorkerScope, hash: unknown): Promise<void> {
  await worker.clients.openWindow(new URL(typeof hash === 'string' ? hash : '', base(worker)).href)
}
