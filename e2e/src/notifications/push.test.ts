import { createECDH, randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launchWithNotifications, visit } from '../support/browser.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launchWithNotifications()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const device = (page: Page) => page.getByRole('region', { name: 'This device' })

/** A browser whose push service responds: no real one can be reached. */
async function withPushService(page: Page): Promise<void> {
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
  await page.addInitScript((subscriptionKeys) => {
    const stored = () => sessionStorage.getItem('subscribed') !== null
    const subscription = {
      toJSON: () => ({ endpoint: 'https://push.example/subscription', keys: subscriptionKeys }),
      unsubscribe: () => {
        sessionStorage.removeItem('subscribed')
        return Promise.resolve(true)
      },
    }
    Object.assign(PushManager.prototype, {
      subscribe: () => {
        sessionStorage.setItem('subscribed', 'yes')
        return Promise.resolve(subscription)
      },
      getSubscription: () => Promise.resolve(stored() ? subscription : null),
    })
  }, keys)
}

test('push messages are turned on after a click, changed, and turned off', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['notifications'])
  await withPushService(page)
  await logIn(page, server.url)
  const sdk = await signedIn(server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await device(page).getByRole('button', { name: 'Turn on' }).waitFor()
  await checkState(page, 'notifications-off')
  await device(page).getByRole('button', { name: 'Turn on' }).click()
  await device(page).getByText('Push messages are on for this device.').waitFor()
  await checkState(page, 'notifications-on')
  expect((await sdk.myPush()).subscriptions).toMatchObject([
    {
      service: 'push.example',
      events: ['upload.first_download', 'upload.expiring', 'request.received', 'limits.near'],
    },
  ])

  const workerAddress = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('./push/')
      return (registration?.installing ?? registration?.waiting ?? registration?.active)?.scriptURL
    })
  await page.getByLabel('Language').selectOption('de')
  await expect.poll(workerAddress).toMatch(/language=de$/)
  await page.getByLabel('Sprache').selectOption('en')
  await expect.poll(workerAddress).toMatch(/language=en$/)

  await page.reload()
  await device(page).getByText('Push messages are on for this device.').waitFor()
  await device(page).getByRole('checkbox', { name: 'An upload that expires within a day' }).uncheck()
  await device(page).getByRole('button', { name: 'Save' }).click()
  await device(page).getByText('Saved').waitFor()
  expect((await sdk.myPush()).subscriptions).toMatchObject([
    { events: ['upload.first_download', 'request.received', 'limits.near'] },
  ])
  for (const box of await device(page).getByRole('checkbox').all()) await box.uncheck()
  await device(page).getByText('Choose at least one event.').waitFor()
  await expect.poll(() => device(page).getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)

  await device(page).getByRole('button', { name: 'Turn off' }).click()
  await device(page).getByRole('button', { name: 'Turn on' }).waitFor()
  expect((await sdk.myPush()).subscriptions).toEqual([])
  expect(pageErrors).toEqual([])
})

test('signing out ends the push messages to the device', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['notifications'])
  await withPushService(page)
  await logIn(page, server.url)
  const sdk = await signedIn(server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await device(page).getByRole('button', { name: 'Turn on' }).click()
  await device(page).getByText('Push messages are on for this device.').waitFor()
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await menu(page).waitFor({ state: 'detached' })
  expect((await sdk.myPush()).subscriptions).toEqual([])
  expect(pageErrors).toEqual([])
})

test('a permission that the visitor denies is explained', async () => {
  const { page } = await visit(browser, server.url)
  await page.addInitScript(() => {
    Notification.requestPermission = () => Promise.resolve('denied')
    Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  })
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await device(page).getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Your browser blocks notifications of this site.').waitFor()
  await checkState(page, 'notifications-denied')
  expect((await (await signedIn(server.url)).myPush()).subscriptions).toEqual([])
})

test('a push service that does not respond is reported, and nothing is turned on', async () => {
  const { page, context } = await visit(browser, server.url)
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException('Registration failed - push service error', 'AbortError'))
  })
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await device(page).getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('The push service of this browser does not respond.').waitFor()
  await device(page).getByRole('button', { name: 'Turn on' }).waitFor()
})

test('a browser without push messages says so, and other devices of the account can be turned off', async () => {
  const sdk = await signedIn(server.url)
  const ecdh = createECDH('prime256v1')
  ecdh.generateKeys()
  await sdk.putMyPush({
    endpoint: 'https://other.example/1',
    keys: { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
    events: ['limits.near'],
  })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.addInitScript('delete window.PushManager')
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await page.getByText('This browser cannot receive push messages here.').waitFor()
  await page.getByText('other.example').waitFor()
  await page.getByRole('button', { name: 'Turn off messages through other.example' }).click()
  await page.getByText('other.example').waitFor({ state: 'detached' })
  expect((await sdk.myPush()).subscriptions).toEqual([])
  expect(pageErrors).toEqual([])
})
