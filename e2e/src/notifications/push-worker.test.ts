import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchWithNotifications, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchWithNotifications()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

interface Shown {
  readonly title: string
  readonly body: string
  readonly lang: string
  readonly dir: string
  readonly tag: string
  readonly data: unknown
}

/** A page with the worker of push messages, in a language. */
async function withWorker(language: string) {
  const { page, context } = await visit(browser, server.url)
  await context.grantPermissions(['notifications'])
  await page.goto(`${server.url}/`)
  await opened(page)
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(async (code) => {
    const registration = await navigator.serviceWorker.register(`./push-worker.js?language=${code}`, {
      scope: './push/',
    })
    const worker = registration.active ?? registration.waiting ?? registration.installing
    await new Promise<void>((resolve) => {
      const check = () => {
        if (worker?.state === 'activated') resolve()
      }
      worker?.addEventListener('statechange', check)
      check()
    })
  }, language)
  const session = await context.newCDPSession(page)
  const registrationId = await new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.endsWith('/push/'))
      if (found) resolve(found.registrationId)
    })
    void session.send('ServiceWorker.enable')
  })
  return { page, context, worker: await started, push: pushTo(page, session, registrationId) }
}

/** Delivers a push message, as the browser does, and returns all that is shown then. */
const pushTo =
  (page: Page, session: CDPSession, registrationId: string) =>
  async (message: object | string): Promise<readonly Shown[]> => {
    const data = typeof message === 'string' ? message : JSON.stringify(message)
    const shown = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration('./push/')
        const all = (await registration?.getNotifications()) ?? []
        return all.map(({ title, body, lang, dir, tag, data: payload }) => {
          return { title, body, lang, dir, tag, data: payload as unknown }
        })
      })
    const isShown = async (timeout?: number) => {
      await session.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
      await expect
        .poll(async () => (await shown()).length, timeout === undefined ? {} : { timeout })
        .toBeGreaterThan(0)
    }
    // Chromium reports no failure of a delivery. A busy one has lost a message to a worker that had just been activated.
    await isShown(20_000).catch(() => isShown())
    return shown()
  }

const timestamp = '2026-11-27T01:00:00.000Z'
const downloaded = { type: 'upload.downloaded', timestamp, data: { uploadID: '4TDRXhYYGcNpBqcR' } }

test('a push message is shown in the words of the visitor, and once if it arrives twice', async () => {
  const { push } = await withWorker('de')
  expect(await push(downloaded)).toEqual([
    {
      title: 'Ihr Upload wurde heruntergeladen',
      body: '',
      lang: 'de',
      dir: 'ltr',
      tag: `upload.downloaded ${timestamp} 4TDRXhYYGcNpBqcR`,
      data: '#/?id=4TDRXhYYGcNpBqcR',
    },
  ])
  expect(await push(downloaded)).toHaveLength(1)
})

test('a message that is not known is shown without details', async () => {
  const { push } = await withWorker('en')
  expect(await push('<img src=x onerror=alert(1)>')).toMatchObject([
    { title: 'There is news about your uploads', data: '#/home/stats' },
  ])
})

/** Runs in the worker: clicks the only notification, without the permission of a real click to open windows. */
const click = `(async () => {
  const done = []
  clients.openWindow = async (url) => void done.push(url)
  const [notification] = await registration.getNotifications()
  const event = new NotificationEvent('notificationclick', { notification })
  const works = []
  event.waitUntil = (work) => works.push(work)
  self.dispatchEvent(event)
  await Promise.all(works)
  return { done, left: (await registration.getNotifications()).length }
})()`

test('a click opens the upload, and removes the message', async () => {
  const { worker, push } = await withWorker('en')
  await push(downloaded)
  const url = `${server.url}/#/?id=4TDRXhYYGcNpBqcR`
  expect(await worker.evaluate(click)).toEqual({ done: [url], left: 0 })
})

test('the worker stores nothing, and controls no page', async () => {
  const { page } = await withWorker('en')
  await page.reload()
  await opened(page)
  const found = await page.evaluate(async () => [navigator.serviceWorker.controller, await caches.keys()])
  expect(found).toEqual([null, []])
})
