import { randomBytes } from 'node:crypto'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, withAccounts } from './support/accounts.ts'
import { inFirefox, launchFirefox, visit, type Firefox } from './support/browser.ts'
import { choose, downloaded, flip, openOptions, send, sendButton, shareLink } from './support/page-actions.ts'
import { checkState } from './support/page-checks.ts'
import { startServer, type StartedServer } from './support/server.ts'
import { startConnectionProxy, type ConnectionProxy } from './support/services/connection-proxy.ts'

let server: StartedServer
let proxy: ConnectionProxy
let firefox: Firefox

beforeAll(async () => {
  ;[server, firefox] = await Promise.all([startServer(withAccounts), launchFirefox()])
  proxy = await startConnectionProxy(server.url)
})
afterAll(async () => {
  await firefox.close()
  await proxy.stop()
  await server.stop()
})

const open = (url = server.url) => visit(firefox.browser, url, inFirefox)

test('files are uploaded, their link copied, shown and downloaded unchanged', async () => {
  const bytes = randomBytes(3_000_000)
  const { page, context, pageErrors } = await open()
  await choose(page, server.url, [
    { name: 'größe 🎉.bin', bytes },
    { name: 'code.ts', bytes: Buffer.from('export const total = 42') },
  ])
  await checkState(page, 'firefox-chosen')
  const link = await send(page)
  await page.getByRole('button', { name: 'Copy link' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download größe 🎉.bin' }).click())
  expect(got.bytes.equals(bytes)).toBe(true)
  await page.getByRole('link', { name: 'code.ts', exact: true }).click()
  await page.getByTestId('text-viewer').getByText('export const total = 42').waitFor()
  await checkState(page, 'firefox-viewer')
  expect(pageErrors).toEqual([])
  await context.close()
})

test('one-shot files and passwords work', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ oneShot: true, password: 'päss' })
  const { uploadToken } = upload
  await sdk.addFile(upload.id, new Blob(['once']), { fileName: 'once.txt', uploadToken })
  const { page, context, pageErrors } = await open()
  await page.goto(sdk.pageURL(upload))
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong password.').waitFor()
  await page.getByLabel('Password').fill('päss')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  await page.getByRole('dialog', { name: 'This is the only download' }).waitFor()
  await checkState(page, 'firefox-once')
  const got = await downloaded(page, () => page.getByRole('button', { name: 'Download now' }).click())
  expect(got.bytes.toString()).toBe('once')
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
  expect(pageErrors).toEqual([])
  await context.close()
})

test('a file is encrypted, resumes after a cut, and is decrypted into a download', async () => {
  const bytes = randomBytes(2_000_000)
  const { page, context, pageErrors } = await open(proxy.url)
  await choose(page, proxy.url, [{ name: 'sealed.bin', bytes }])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await expect.poll(() => page.getByLabel('Passphrase', { exact: true }).inputValue()).not.toBe('')
  const stalled = proxy.stall(1_000_000)
  await sendButton(page).click()
  await stalled
  proxy.cut()
  await page.getByText('No connection. The upload resumes where it stopped').waitFor()
  await checkState(page, 'firefox-cut')
  proxy.restore()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor({ timeout: 90_000 })
  const link = await shareLink(page)
  await page.goto('about:blank')
  await page.goto(link)
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download', exact: true }).click())
  expect([got.name, got.bytes.equals(bytes)]).toEqual(['sealed.bin', true])
  await page.getByText('Decrypted and saved.').waitFor()
  expect(pageErrors).toEqual([])
  await context.close()
})

test('an admin logs in and sees the stats', async () => {
  const { page, context, pageErrors } = await open()
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/admin/stats`)
  await page.locator('.figure').first().waitFor()
  await checkState(page, 'firefox-admin')
  expect(pageErrors).toEqual([])
  await context.close()
})

test('without scripts the page explains what to do', async () => {
  await using cleanup = new AsyncDisposableStack()
  // The driver cannot disable scripts; the profile can.
  const { browser, close } = await launchFirefox({ 'javascript.enabled': false })
  cleanup.defer(close)
  const { page } = await visit(browser, server.url, inFirefox)
  await page.goto(`${server.url}/`)
  // The test neither waits in such a page nor takes a picture, because the driver does both with scripts.
  await expect.poll(() => page.locator('body').innerText()).toContain('curl -F file=@FILE')
})
