import { randomBytes } from 'node:crypto'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, sendButton, shareLink } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'

let server: StartedServer
let browser: Browser
let proxy: ConnectionProxy

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  proxy = await startConnectionProxy(server.url)
})
afterEach(() => {
  proxy.restore()
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await server.stop()
})

/**
 * Uploads a file that stalls half way.
 * @returns id of its upload
 */
async function sendHalf(page: Page): Promise<string> {
  proxy.restore()
  await choose(page, proxy.url, [{ name: 'big.bin', bytes: randomBytes(20_000_000) }])
  const stalled = proxy.stall(5_000_000)
  await sendButton(page).click()
  await stalled
  return /id=(\w+)/.exec(await shareLink(page))?.[1] ?? ''
}

const goElsewhere = (page: Page) =>
  page.evaluate(() => {
    location.hash = '#/clients'
  })

test('leaving during an upload asks for confirmation, also offline, and then ends the upload', async () => {
  const { page, pageErrors } = await visit(browser, proxy.url)
  const id = await sendHalf(page)
  proxy.cut()
  await page.getByRole('heading', { name: 'Waiting for the connection' }).waitFor()
  await page.getByText(/^[\d.]+ [kM]?B of [\d.]+ MB · The upload continues automatically\.$/).waitFor()
  await page.getByText('No connection. The upload resumes where it stopped').waitFor()
  expect(await page.getByText(/per second|seconds left|minutes? left|hours? left/).count()).toBe(0)
  await goElsewhere(page)
  await page.getByRole('dialog', { name: 'Leave while files are uploading?' }).waitFor()
  // Enough for the requests of the page, and too little for the rest of the file.
  proxy.restore(1_000_000)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  const sdk = createClient({ baseURL: server.url })
  // A recipient does not wait for it either.
  const status = async () => (await sdk.upload(id)).files[0]?.status
  await expect.poll(status, { timeout: 90_000 }).toMatch(/^(?:removed|deleted)$/)
  expect(pageErrors).toEqual([])
})

test('an upload that is created while its page is closed is removed', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const { promise: mayResume, resolve: resume } = Promise.withResolvers<undefined>()
  const removed = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.route(/\/upload$/, async (route) => {
    await mayResume
    await route.continue()
  })
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  await sendButton(page).click()
  await goElsewhere(page)
  await page.getByRole('button', { name: 'Leave', exact: true }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  resume(undefined)
  expect((await (await removed).response())?.status()).toBe(200)
  expect(pageErrors).toEqual([])
})
