import { createECDH, randomBytes } from 'node:crypto'
import type { Client } from '@svc/sdk'
import type { Browser, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launchWithNotifications, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let sdk: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launchWithNotifications()])
  sdk = await signedIn(server.url)
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A subscription as a browser gives it. */
function newSubscription(endpoint: string) {
  const own = createECDH('prime256v1')
  own.generateKeys()
  return {
    endpoint,
    keys: { p256dh: own.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
  }
}

/** A signed-in browser with the worker of push messages. */
async function withWorker() {
  const { page, context } = await visit(browser, server.url)
  await logIn(page, server.url)
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(async () => {
    const scope = { scope: './push/' }
    const registration = await navigator.serviceWorker.register('./push-worker.js?language=en', scope)
    const worker = registration.active ?? registration.waiting ?? registration.installing
    await new Promise<void>((resolve) => {
      const check = () => {
        if (worker?.state === 'activated') resolve()
      }
      worker?.addEventListener('statechange', check)
      check()
    })
  })
  return { context, worker: await started }
}

type Subscription = ReturnType<typeof newSubscription>

/** Runs the handler of the worker, as a browser that has renewed its subscription does. */
const renew = (worker: Worker, from: Subscription | null, to: Subscription) =>
  worker.evaluate(
    `(async ([from, to]) => {
      const subscription = (given) => given && { endpoint: given.endpoint, options: {}, toJSON: () => given }
      const event = new ExtendableEvent('pushsubscriptionchange')
      const works = []
      Object.assign(event, { oldSubscription: subscription(from), newSubscription: subscription(to) })
      event.waitUntil = (work) => works.push(work)
      self.dispatchEvent(event)
      return (await Promise.allSettled(works)).map(({ status }) => status)
    })(${JSON.stringify([from, to])})`,
  )

const services = async () =>
  (await sdk.myPush()).subscriptions.map(({ service, events }) => [service, events])

test('a renewed subscription replaces the old one in the account, with its events', async () => {
  const old = newSubscription('https://old.push.example/1')
  await sdk.putMyPush({ ...old, events: ['upload.expiring'] })
  const { worker } = await withWorker()
  expect(await renew(worker, old, newSubscription('https://new.push.example/1'))).toEqual(['fulfilled'])
  expect(await services()).toEqual([['new.push.example', ['upload.expiring']]])
})

test('without a session, or without the old subscription, nothing happens', async () => {
  const before = await services()
  const { context, worker } = await withWorker()
  const next = newSubscription('https://next.push.example/1')
  expect(await renew(worker, null, next)).toEqual(['fulfilled'])
  const known = newSubscription('https://new.push.example/1')
  await context.clearCookies({ name: 'svc-session' })
  expect(await renew(worker, known, next)).toEqual(['fulfilled'])
  await context.clearCookies()
  expect(await renew(worker, known, next)).toEqual(['fulfilled'])
  expect(await services()).toEqual(before)
})
