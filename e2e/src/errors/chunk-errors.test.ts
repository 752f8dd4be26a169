import { fingerprintOf, generateKeyPair } from '@svc/encryption'
import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import {
  flip,
  listedNames,
  opened,
  openOptions,
  pick,
  selectionShown,
  sendButton,
} from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a page that fails to load its messages says so, and can be loaded again', async () => {
  const { page } = await visit(browser, server.url)
  await page.route(/\/assets\/en-/, (route) => route.abort())
  await page.goto(`${server.url}/#/clients`)
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await checkState(page, 'not-started')
  // The logo, the heading, the advice and the button have space between them.
  const boxes = await page
    .locator('main > *')
    .evaluateAll((all) => all.map((element) => element.getBoundingClientRect()))
  expect(boxes).toHaveLength(4)
  const gaps = boxes.slice(1).map(({ top }, index) => top - (boxes[index]?.bottom ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(16)
  await page.locator('main svg').waitFor()
  await page.getByText('Svc', { exact: true }).waitFor()
  await page.unroute(/\/assets\/en-/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
})

test('beside the files, options whose part is missing say so', async () => {
  const { page } = await visit(browser, server.url, { viewport: { width: 1440, height: 900 } })
  await page.route(/\/assets\/OptionFields-/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(server.url)
  await page.getByRole('region', { name: 'Options' }).getByText('Part of this page did not load').waitFor()
})

test('a page whose scripts are missing on the server, as after an update, says so and can be loaded again', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(server.url)
  await opened(page)
  const notice = page.getByRole('alert').getByText('Part of this page did not load')
  await page.route(/\/assets\//, (route) => route.fulfill({ status: 404, json: { code: 'not_found' } }))
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await notice.waitFor()
  await checkState(page, 'missing-part')
  await page.getByRole('button', { name: 'Close' }).click()
  await notice.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Options' }).click()
  await notice.waitFor()
  await page.unroute(/\/assets\//)
  await page.getByRole('button', { name: 'Reload page' }).click()
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByRole('group', { name: 'Expires in' }).waitFor()
  expect(await notice.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test.for([
  ['an upload', [], false],
  ['an encrypted upload', ['encryptor', 'manifest-transfer'], false],
  ['an upload for a request', ['request-files', 'encrypt-files', 'ReceiptView'], true],
] as const)(
  'a connection that is lost before %s costs no file: the page has what it needs to say so',
  async ([what, ofThis, isForRequest]) => {
    const { page, context, pageErrors } = await visit(browser, server.url)
    const sdk = createClient({ baseURL: server.url })
    const { recipient } = await generateKeyPair()
    const address = isForRequest
      ? sdk.requestURL(
          await sdk.createUploadRequest({ title: 'Files', recipient }),
          await fingerprintOf(recipient),
        )
      : server.url
    await page.goto(address)
    await opened(page)
    await pick(page, [{ name: 'a.txt', bytes: Buffer.from('a') }])
    await selectionShown(page)
    if (what === 'an encrypted upload') {
      await openOptions(page)
      await flip(page, 'End-to-end encryption')
    }
    // Loaded in the background, with the files and with the first use of the page.
    await page.keyboard.press('Tab')
    await page.waitForFunction(
      (parts) => {
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
        return parts.every((part) => loaded.some((name) => name.includes(`/assets/${part}-`)))
      },
      ['first-use', 'UploadingView', ...(isForRequest ? [] : ['own-upload', 'UploadRefusal']), ...ofThis],
    )
    await context.setOffline(true)
    await sendButton(page).click()
    await page.locator('form').getByRole('alert').getByText('The server cannot be reached').waitFor()
    expect(await page.getByText('Part of this page did not load').count()).toBe(0)
    expect(await listedNames(page)).toEqual(['a.txt'])
    expect(pageErrors).toEqual([])
  },
)
