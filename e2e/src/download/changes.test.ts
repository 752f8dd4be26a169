import { createClient, type Client, type Upload, type UploadOptions } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { choose, flip, openOptions, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
/** Records the requests of browsers. */
let proxy: ConnectionProxy
let sdk: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  sdk = createClient({ baseURL: server.url })
})
beforeEach(async () => {
  proxy = await startConnectionProxy(server.url)
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const requests = (path: string) => proxy.recorded().toString('latin1').split(`GET ${path}`).length - 1
const streams = () => requests('/uploads/events?')
const looks = ({ id }: Pick<Upload, 'id'>) => requests(`/upload/${id}`)

/** An upload with a file that has not arrived. */
const announced: UploadOptions = { files: [{ fileName: 'a.txt' }] }
const announce = (options: UploadOptions = {}): Promise<Upload> =>
  sdk.createUpload({ ...announced, ...options })

const arrive = ({ id, files, uploadToken }: Upload, client = sdk) =>
  client.addFile(id, new Blob(['content']), { fileName: 'a.txt', fileID: files[0]?.id, uploadToken })

const open = async (page: Page, { id }: Pick<Upload, 'id'>) => {
  await page.clock.install()
  await page.goto(`${proxy.url}/#/?id=${id}`)
  await page.getByRole('heading').first().waitFor()
}
const notSent = (page: Page) => page.getByText('Not uploaded yet').waitFor()
const sent = (page: Page) => page.getByRole('link', { name: 'Download', exact: true }).first().waitFor()

/** Time passes in a page, in which an interval would end. A request afterwards is the last one of the page. */
async function passTime(page: Page): Promise<void> {
  await page.clock.fastForward(30_000)
  await page.evaluate(async () => {
    await fetch('health')
  })
}

/** Until pages have asked for an upload as often as they do when they open: first, and when the stream has begun. */
const settled = (upload: Upload, pages: number) => expect.poll(() => looks(upload)).toBe(2 * pages)

test('two tabs have one connection, and show a file that arrives without a poll', async () => {
  const upload = await announce()
  const { page, context, pageErrors } = await visit(browser, proxy.url)
  await open(page, upload)
  await notSent(page)
  await settled(upload, 1)
  const other = await context.newPage()
  await open(other, upload)
  await notSent(other)
  await settled(upload, 2)
  await passTime(page)
  await passTime(other)
  expect([streams(), looks(upload)]).toEqual([1, 4])
  await arrive(upload)
  await Promise.all([sent(page), sent(other)])
  expect(streams()).toBe(1)
  expect(pageErrors).toEqual([])
})

test('tabs of several uploads share a connection', async () => {
  const [first, second] = [await announce(), await announce()]
  const { page, context } = await visit(browser, proxy.url)
  await open(page, first)
  await settled(first, 1)
  const other = await context.newPage()
  await open(other, second)
  await settled(second, 1)
  // The stream of both began after that of the first one alone.
  expect(streams()).toBe(2)
  await arrive(second)
  await sent(other)
  await arrive(first)
  await sent(page)
  const before = streams()
  await passTime(page)
  expect(streams()).toBe(before)
})

test('after a restart of the server, the stream is opened again', async () => {
  const upload = await announce()
  const { page } = await visit(browser, proxy.url)
  await open(page, upload)
  await settled(upload, 1)
  await server.restart()
  await expect.poll(streams, { timeout: 60_000 }).toBeGreaterThan(1)
  await arrive(upload)
  await sent(page)
})

test('where the stream is refused, the page polls', async () => {
  const full = await startServer()
  const client = createClient({ baseURL: full.url })
  const look = () => fetch(`${full.url}/uploads/events?id=${'a'.repeat(16)}`)
  // All of them are open before the next one: it would take the place of one of them.
  const others = await Promise.all(Array.from({ length: 64 }, look))
  expect(others.filter(({ status }) => status === 200)).toHaveLength(64)
  expect((await look()).status).toBe(429)
  const upload = await client.createUpload(announced)
  const { page, pageErrors } = await visit(browser, full.url)
  const refused = page.context().waitForEvent('response', (response) => response.status() === 429)
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker')
  })
  await page.goto(`${full.url}/#/?id=${upload.id}`)
  await refused
  await notSent(page)
  await arrive(upload, client)
  await sent(page)
  expect(pageErrors).toEqual([])
  await Promise.all(others.map(async ({ body }) => body?.cancel()))
  await full.stop()
})

test('without shared workers, a tab has a connection while it is visible', async () => {
  const upload = await announce()
  const { page, context, pageErrors } = await visit(browser, proxy.url)
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker')
  })
  await open(page, upload)
  await notSent(page)
  await settled(upload, 1)
  await passTime(page)
  expect(looks(upload)).toBe(2)
  await arrive(upload)
  await sent(page)
  expect([streams(), pageErrors]).toEqual([1, []])
})

test('an upload with a password is polled, without a stream', async () => {
  const upload = await announce({ password: 'secret word' })
  const { page } = await visit(browser, proxy.url)
  await open(page, upload)
  await page.getByLabel('Password').fill('secret word')
  await page.keyboard.press('Enter')
  await notSent(page)
  await arrive(upload)
  await page.clock.fastForward(4_000)
  await sent(page)
  expect(streams()).toBe(0)
})

test('an interruption while the stream is opened is shown, although no event follows', async () => {
  const upload = await sdk.createUpload()
  const begun = await fetch(`${server.url}/tus/${upload.id}`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('a.txt').toString('base64')}`,
      'content-type': 'application/offset+octet-stream',
      'x-uploadtoken': String(upload.uploadToken),
    },
    body: 'begin',
  })
  expect([begun.status, begun.headers.get('upload-offset')]).toEqual([201, '5'])
  const { page, pageErrors } = await visit(browser, server.url)
  // At the first look, the sender is connected.
  await page.route(
    `**/upload/${upload.id}`,
    async (route) => {
      const response = await route.fetch()
      const seen = (await response.json()) as Upload
      expect(seen.files.map(({ interrupted }) => interrupted)).toEqual([true])
      await route.fulfill({
        response,
        json: { ...seen, files: seen.files.map((file) => ({ ...file, interrupted: undefined })) },
      })
    },
    { times: 1 },
  )
  await page.goto(`${server.url}/#/?id=${upload.id}`)
  await page.getByText('Upload interrupted.').waitFor()
  expect(pageErrors).toEqual([])
})

test('the page of several files says how many have arrived, until all have', async () => {
  const upload = await announce({ files: [{ fileName: 'a.txt' }, { fileName: 'b.txt' }] })
  await arrive(upload)
  const { page, pageErrors } = await visit(browser, proxy.url)
  await open(page, upload)
  const arriving = page.getByText('This page updates by itself.')
  await arriving.filter({ hasText: '1 of 2 files is here.' }).waitFor()
  await checkState(page, 'arriving')
  const { id, files, uploadToken } = upload
  await sdk.addFile(id, new Blob(['b']), { fileName: 'b.txt', fileID: files[1]?.id, uploadToken })
  await page.getByRole('link', { name: 'Download b.txt' }).waitFor()
  expect(await arriving.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('pages show how many downloads are left after the downloads of others', async () => {
  const upload = await announce({ maxDownloads: 5 })
  const file = await arrive(upload)
  const { page } = await visit(browser, proxy.url)
  await open(page, upload)
  await settled(upload, 1)
  const owner = await visit(browser, proxy.url)
  await owner.page.goto(`${proxy.url}/#/?id=${upload.id}&uploadToken=${String(upload.uploadToken)}`)
  await owner.page.getByText('5 of 5 downloads left').waitFor()
  await settled(upload, 2)
  await (await sdk.download(upload, file)).text()
  await page.getByText('4 of 5 downloads left').waitFor()
  await owner.page.getByText('4 of 5 downloads left').waitFor()
  await page.getByRole('link', { name: 'Download', exact: true }).first().click()
  await page.getByText('3 of 5 downloads left').waitFor()
  await owner.page.getByText('3 of 5 downloads left').waitFor()
})

test('the page of an upload with a password shows the downloads of others without a stream', async () => {
  const password = 'secret word'
  const upload = await announce({ maxDownloads: 5, password })
  const file = await arrive(upload)
  const { page } = await visit(browser, proxy.url)
  await open(page, upload)
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  await page.getByText('5 of 5 downloads left').waitFor()
  await (await sdk.download(upload, file, { uploadToken: upload.uploadToken })).text()
  await page.clock.fastForward(30_000)
  await page.getByText('4 of 5 downloads left').waitFor()
  expect(streams()).toBe(0)
})

test('the page of a new upload follows its downloads, until none is left', async () => {
  const { page, pageErrors } = await visit(browser, proxy.url)
  await choose(page, proxy.url, [{ name: 'twice.txt', bytes: Buffer.from('twice') }])
  await openOptions(page)
  await page.getByLabel('Download limit').selectOption('2')
  const link = await send(page)
  await expect.poll(streams).toBe(1)
  const upload = await sdk.upload(uploadIdOf(link))
  const [file] = upload.files
  if (file === undefined) throw new Error('the upload has no file')
  await (await sdk.download(upload, file)).text()
  await page.getByRole('listitem').filter({ hasText: '1 of 2 downloads left' }).waitFor()
  await (await sdk.download(upload, file)).text()
  await page.getByRole('heading', { name: 'No downloads left' }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Link' }).count()).toBe(0)
  expect(
    await page.getByRole('heading', { level: 1 }).evaluate((element) => element === document.activeElement),
  ).toBe(true)
  await checkState(page, 'ready-used-up')
  expect(pageErrors).toEqual([])
})

test('the list of sent uploads shows the download of a one-shot upload', async () => {
  const { page, pageErrors } = await visit(browser, proxy.url)
  await choose(page, proxy.url, [{ name: 'once.txt', bytes: Buffer.from('once') }])
  await openOptions(page)
  await flip(page, 'One-time download')
  const link = await send(page)
  await page.goto(`${proxy.url}/#/sent`)
  await page.reload()
  await page.getByText('once.txt').first().waitFor()
  await expect.poll(streams).toBe(1)
  const upload = await sdk.upload(uploadIdOf(link))
  const [file] = upload.files
  if (file === undefined) throw new Error('the upload has no file')
  await (await sdk.download(upload, file)).text()
  await page.getByText('Downloaded, and gone').waitFor()
  expect(pageErrors).toEqual([])
})
