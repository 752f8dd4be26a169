import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('the page of a sender opens a closed request once its owner has opened it again', async () => {
  const sdk = createClient({ baseURL: server.url })
  const request = await sdk.createUploadRequest({ title: 'Photos of the party' })
  const { id, requestToken } = request
  await sdk.updateUploadRequest(id, { closed: true }, { requestToken })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.clock.install()
  await page.goto(sdk.requestURL(request))
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
  // A lost connection changes nothing.
  await page.context().setOffline(true)
  await page.clock.fastForward(15_000)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
  await sdk.updateUploadRequest(id, { closed: false }, { requestToken })
  await page.clock.fastForward(15_000)
  await page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await page.getByText('Choose files').first().waitFor()
  expect(pageErrors).toEqual([])
})

test('the page of a request that has received all of its files says that it is full', async () => {
  const sdk = createClient({ baseURL: server.url })
  const request = await sdk.createUploadRequest({ title: 'Photos', maxFiles: 1 })
  const { id, uploadToken } = await sdk.sendToUploadRequest(request.id)
  await sdk.addFile(id, new Blob(['a']), { fileName: 'a.jpg', uploadToken })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.requestURL(request))
  await page.getByRole('heading', { name: 'This request is full' }).waitFor()
  await page.getByText('It has received all the files that it accepts.').waitFor()
  expect(pageErrors).toEqual([])
})

test('a sender sees how many files and bytes are left', async () => {
  const sdk = createClient({ baseURL: server.url })
  const request = await sdk.createUploadRequest({ title: 'Photos', maxFiles: 5, maxSize: 3_000_000 })
  const { id, uploadToken } = await sdk.sendToUploadRequest(request.id)
  await sdk.addFile(id, new Blob([new Uint8Array(1_000_000)]), { fileName: 'a.bin', uploadToken })
  await sdk.addFile(id, new Blob(['b']), { fileName: 'b.bin', uploadToken })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.requestURL(request))
  await page.getByText('Up to 3 files in total').waitFor()
  await page.getByText('Up to 2 MB in total').waitFor()
  expect(pageErrors).toEqual([])
})
