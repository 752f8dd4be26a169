import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import {
  expectFocus,
  expectOneWidth,
  pageChecker,
  screenshotTimeout,
  type View,
} from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, sendFile } from '../support/uploads.ts'

interface Received {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  readonly body: string
}

let server: StartedServer
let browser: Browser
let receiver: Server
let address: string
let status = 200
const received: Received[] = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const header = (name: string) => String(request.headers[`webhook-${name}`])
      received.push({
        id: header('id'),
        timestamp: header('timestamp'),
        signature: header('signature'),
        body,
      })
      response.writeHead(status).end()
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  address = `http://127.0.0.1:${String((receiver.address() as AddressInfo).port)}/svc`
  ;[server, browser] = await Promise.all([
    startServer({ ...withAccounts, WEBHOOK_PRIVATE_NETWORKS: '["127.0.0.0/8"]' }),
    launch(),
  ])
})
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()])
  receiver.close()
})

const signed = (secret: string, { id, timestamp, body }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')}`

const shownSecret = (page: Page) => page.getByRole('region', { name: 'Secret' }).locator('code').innerText()

const views: readonly View[] = [390, 820, 1440].flatMap((width) => [
  { width, colorScheme: 'light', axe: width !== 820 },
  { width, colorScheme: 'dark', axe: width === 390 },
])

test(
  'a webhook is created, its secret is shown once, and it is changed, turned off and deleted',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const checker = pageChecker(page, 'notifications', views)
    await logIn(page, server.url)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.goto(`${server.url}/#/home/tokens`)
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByText('You have no webhooks.').waitFor()
    await page.getByText('This server sends no email.').waitFor()
    await checker.checkViews('empty')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await expectFocus(page.getByLabel('Address (https://…)'))
    await page.getByLabel('Address (https://…)').fill('http://192.0.2.1/svc')
    await page.getByLabel('Description').fill('Chat of the team')
    await checker.checkViews('form')
    await expectOneWidth(page, page.locator('main .card'))
    await page.getByLabel('Address (https://…)').fill(address)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByText('Copy it now. It is shown only once.').waitFor()
    await expectFocus(page.getByRole('region', { name: 'Secret' }).getByRole('heading'))
    await checker.checkViews('secret')
    const secret = await shownSecret(page)
    expect(secret).toMatch(/^whsec_/)

    const sdk = await signedIn(server.url)
    const upload = await sdk.upload(await sendFile(sdk, 'photo.jpg'))
    for (const file of upload.files) await fetch(sdk.fileURL(upload, file))
    await expect.poll(() => received.length, { timeout: 60_000 }).toBeGreaterThan(0)
    for (const message of received) expect(message.signature).toBe(signed(secret, message))

    await page.reload()
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await page.getByText('Delivered').first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await checker.checkViews('deliveries')
    const before = received.length
    status = 500
    await page.getByRole('button', { name: 'Send again' }).first().click()
    await expectFocus(page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem').first())
    await expect.poll(() => received.length, { timeout: 60_000 }).toBe(before + 1)
    // The list follows what becomes of it.
    await expect
      .poll(() => page.getByRole('list', { name: 'Deliveries' }).innerText(), { timeout: 60_000 })
      .toMatch(
        /Waiting (?:First|Complete) download[^]*Response 500 · Next attempt[^]*The target refused the message\./,
      )
    await checker.checkViews('failing')
    status = 200

    await page.getByRole('button', { name: 'Replace secret' }).click()
    await clickInDialog(page, 'Replace secret')
    await page.getByText('Copy it now.').waitFor()
    expect(await shownSecret(page)).not.toBe(secret)
    await page.getByText(/Previous secret valid until/).waitFor()

    await page.getByRole('button', { name: 'Edit Chat of the team' }).click()
    await page.getByLabel('Description').fill('Chat')
    await page.getByRole('checkbox', { name: 'Storage that is nearly full' }).last().check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Edit Chat', exact: true }).waitFor()
    await page.locator('.webhook').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Off', { exact: true }).waitFor()
    expect(await sdk.myWebhooks()).toMatchObject([
      {
        description: 'Chat',
        enabled: false,
        events: ['upload.first_download', 'upload.downloaded', 'limits.near'],
      },
    ])
    await page.getByRole('button', { name: 'Delete Chat' }).click()
    await clickInDialog(page, 'Delete')
    await page.getByText('You have no webhooks.').waitFor()
    expect(await sdk.myWebhooks()).toEqual([])
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('an address that the server refuses is reported in the form, and what was typed stays', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  await page.getByRole('button', { name: 'New webhook' }).click()
  await page.getByLabel('Address (https://…)').fill('ftp://hooks.example/')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await page.getByRole('alert').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Create webhook' }))
  await expect.poll(() => page.getByLabel('Address (https://…)').inputValue()).toBe('ftp://hooks.example/')
})

test('a list that cannot be loaded says so, and loads again', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.route('**/me/webhooks', (route) => route.fulfill({ status: 500, json: { code: 'internal' } }))
  await page.goto(`${server.url}/#/home/notifications`)
  const part = page.getByRole('region', { name: 'Webhooks' })
  await part.getByRole('button', { name: 'Try again' }).waitFor()
  await page.unroute('**/me/webhooks')
  await part.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('You have no webhooks.').waitFor()
})

test('an admin who impersonates a user sees no notifications of the user', async () => {
  const sdk = await signedIn(server.url)
  const user = { login: 'berta', password: 'long enough' }
  const { id } = await sdk.createUser({ provider: 'local', ...user })
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, admin)
  await page.goto(`${server.url}/#/admin/user?id=${id}`)
  await page.getByRole('button', { name: 'Act as this user' }).click()
  await page.getByText('In this tab you act as').waitFor()
  // The router notices changes of the address when the first page is there.
  await opened(page)
  await page.goto(`${server.url}/#/home/notifications`)
  await opened(page)
  await page.getByText('While you act as another user').waitFor()
  expect(await page.getByRole('link', { name: 'Notifications' }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})
