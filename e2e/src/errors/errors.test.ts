import { randomBytes } from 'node:crypto'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, listedNames, sendButton, shareLink } from '../support/page-actions.ts'
import { checkState, expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/**
 * Makes the uploads of a page slow.
 * @returns a function that sets the limit in bytes per second; 0 removes it
 */
async function limiter(page: Page): Promise<(uploadThroughput: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  return async (uploadThroughput) => {
    const limited = uploadThroughput > 0
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: limited ? 20 : 0,
      downloadThroughput: -1,
      uploadThroughput: limited ? uploadThroughput : -1,
    })
  }
}

const statuses = async (link: string) => {
  const id = new URLSearchParams(link.split('#/?')[1]).get('id') ?? ''
  const { files } = await createClient({ baseURL: server.url }).upload(id)
  return files.map(({ fileName, status }) => `${fileName} ${status}`).toSorted()
}

test('the link is shown at once, one file can be cancelled and retried, and leaving asks for confirmation', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [
    { name: 'big.bin', bytes: randomBytes(3_000_000) },
    { name: 'small.txt', bytes: Buffer.from('small') },
  ])
  const limit = await limiter(page)
  await limit(300_000)
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'Uploading 2 files' }).waitFor()
  const link = await shareLink(page)
  await page.getByRole('progressbar', { name: 'Progress of big.bin' }).waitFor()
  await page.getByText(/per second/).waitFor()
  await checkState(page, 'sending')

  const closing = page.waitForEvent('dialog')
  const closed = page.close({ runBeforeUnload: true })
  const dialog = await closing
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await closed

  await page.evaluate(() => {
    location.hash = '#/?id=0000000000000000'
  })
  await page.getByRole('dialog', { name: 'Leave while files are uploading?' }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Cancel big.bin' }).click()
  // What the sender wanted is not a failure.
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  await page.getByText(/^Cancelled: \u2068big\.bin\u2069/).waitFor()
  await checkState(page, 'cancelled')
  await limit(0)
  await page.getByRole('button', { name: 'Upload after all' }).click()
  await page.getByRole('img', { name: 'Uploaded' }).nth(1).waitFor()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  const found = await statuses(link)
  expect(found.filter((file) => file.endsWith(' uploaded'))).toEqual([
    'big.bin uploaded',
    'small.txt uploaded',
  ])
  expect(found.filter((file) => / (?:missing|uploading)$/.test(file))).toEqual([])
  expect(pageErrors).toEqual([])
})

test('all files can be cancelled and retried', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  await choose(
    page,
    server.url,
    names.map((name) => ({ name, bytes: randomBytes(500_000) })),
  )
  const limit = await limiter(page)
  await limit(50_000)
  await sendButton(page).click()
  await page.getByRole('progressbar', { name: 'Progress of a' }).waitFor()
  await expect.poll(() => page.getByRole('progressbar', { name: /^Progress of/ }).count()).toBe(5)
  // The focus stays in the list, at the button that is there instead.
  await page.getByRole('button', { name: 'Cancel a', exact: true }).click()
  await expectFocus(page.getByRole('button', { name: 'Retry a' }))
  await page.getByRole('button', { name: 'Retry a' }).click()
  await expectFocus(page.getByRole('button', { name: 'Pause a', exact: true }))
  await page.getByRole('button', { name: 'Pause b' }).click()
  await expectFocus(page.getByRole('button', { name: 'Resume b' }))
  await page.getByRole('button', { name: 'Resume all' }).click()
  await expectFocus(page.getByRole('button', { name: 'Pause all' }))
  await page.getByRole('button', { name: 'Cancel a', exact: true }).click()
  await page.getByRole('button', { name: 'Upload after all' }).click()
  await expectFocus(page.getByRole('region', { name: 'Files' }))
  await page.getByRole('button', { name: 'Cancel all' }).click()
  await page.getByRole('heading', { name: 'Nothing was uploaded' }).waitFor()
  await page.getByText(/^Cancelled: \u2068a\u2069, \u2068b\u2069, \u2068c\u2069 and 4 more files$/).waitFor()
  await limit(0)
  await page.getByRole('button', { name: 'Upload after all' }).click()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  const found = await statuses(await shareLink(page))
  expect(found.filter((file) => file.endsWith(' uploaded'))).toEqual(names.map((name) => `${name} uploaded`))
  expect(pageErrors).toEqual([])
})

test('one file that fails does not stop the others', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const name = Buffer.from('bad.txt').toString('base64')
  const isBad = (headers: Readonly<Record<string, string>>) =>
    headers['upload-metadata']?.includes(name) === true
  await page.route(/\/tus\//, (route) =>
    isBad(route.request().headers())
      ? route.fulfill({ status: 507, json: { code: 'no_space', message: 'full' } })
      : route.continue(),
  )
  await choose(
    page,
    server.url,
    ['good.txt', 'bad.txt', 'fine.txt'].map((name) => ({ name, bytes: Buffer.from(name) })),
  )
  await sendButton(page).click()
  await page.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
  const alert = page.getByRole('alert').filter({ hasText: 'bad.txt: The server is out of storage space.' })
  await alert.getByText('The other 2 files are uploaded.').waitFor()
  expect(await listedNames(page)).toEqual(['bad.txt', 'good.txt', 'fine.txt'])
  // Copying the link is the main action.
  await expect.poll(() => page.locator('.primary').allTextContents()).toEqual(['Copy link'])
  await checkState(page, 'one-failed')
  await page.unroute(/\/tus\//)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  const found = await statuses(await shareLink(page))
  expect(found.filter((file) => file.endsWith(' uploaded'))).toEqual([
    'bad.txt uploaded',
    'fine.txt uploaded',
    'good.txt uploaded',
  ])
  expect(pageErrors).toEqual([])
})

test('an error of a proxy for a file is reported', async () => {
  const { page } = await visit(browser, server.url)
  await page.route(/\/(?:tus|file)\//, (route) =>
    route.fulfill({ status: 413, contentType: 'text/html', body: '<html><h1>413</h1></html>' }),
  )
  await choose(page, server.url, [{ name: 'a', bytes: Buffer.from('a') }])
  await sendButton(page).click()
  await page
    .getByRole('alert')
    .getByText('A proxy between you and the server refuses files of this size.')
    .waitFor()
  await checkState(page, 'proxy-refused')
})

test('a link to a missing upload says so', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/?id=0000000000000000`)
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await checkState(page, 'gone')
  await page.getByRole('link', { name: 'Upload files', exact: true }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  await page.goto(`${server.url}/#/no/such/page`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.getByText('This page does not exist.').waitFor()
  // The advice about links that have expired is for uploads.
  expect(await page.getByText('Ask the sender').count()).toBe(0)
  await checkState(page, 'no-such-page')
  expect(pageErrors).toEqual([])
})

test.for([
  '#/request',
  '#/request?id=',
  '#/request?id=..',
  '#/?id=',
  '#/?id=.',
  '#/?id=&file=x',
  '#/requests?id=..',
])('the address %s of a link that was cut says so', async (address) => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/${address}`)
  await page.getByText('This link is incomplete. Ask for it again.').waitFor()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  if (address === '#/request') await checkState(page, 'incomplete-link')
  expect(pageErrors).toEqual([])
})

test('an unreachable server can be retried', async () => {
  const { page } = await visit(browser, server.url)
  await page.route(/\/config$/, (route) => route.abort())
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await checkState(page, 'no-connection')
  await page.unroute(/\/config$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
})

test('a temporary error leaves the page of an upload as it is', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const sdk = createClient({ baseURL: server.url })
  const files = [{ reference: 'later', fileName: 'later.txt', fileSize: 5 }]
  const { id, uploadToken, files: declared } = await sdk.createUpload({ files })
  // Without events, the page polls.
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker')
  })
  await page.route(/\/uploads\/events/, (route) => route.fulfill({ status: 404 }))
  await page.goto(`${server.url}/#/?id=${id}`)
  await page.getByText('later.txt').waitFor()
  await page.route(/\/upload\//, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>a proxy</h1>' }),
  )
  await page.waitForResponse(/\/upload\//)
  await page.unroute(/\/upload\//)
  // Requested again, and still shown.
  await page.waitForResponse(/\/upload\//)
  await expect.poll(() => page.getByText('later.txt').count()).toBe(1)
  await sdk.addFile(id, new Blob(['later']), {
    fileName: 'later.txt',
    fileID: declared[0]?.id,
    uploadToken,
  })
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  expect(pageErrors).toEqual([])
})

test('a service that is not running offers no page that needs it', async () => {
  const { page } = await visit(browser, server.url)
  await page.route(/\/config$/, (route) => route.fulfill({ status: 502, body: '<h1>a proxy</h1>' }))
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'The service is not running' }).waitFor()
  await page.getByText('This is not your fault. Try again in a moment.').waitFor()
  expect(await page.getByRole('link', { name: 'Upload files', exact: true }).count()).toBe(0)
  // A missing part of the page does not raise a second alarm.
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
  const notice = page.getByText('Part of this page did not load')
  await notice.waitFor({ state: 'attached' })
  expect(await notice.isVisible()).toBe(false)
  await checkState(page, 'not-running')
  await page.unroute(/\/config$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  await notice.waitFor()
})

test('a rate limit of a proxy does not look like a prompt for a password', async () => {
  const { page } = await visit(browser, server.url)
  const { id } = await createClient({ baseURL: server.url }).createUpload()
  await page.route(/\/upload\//, (route) => route.fulfill({ status: 429, body: '<h1>Slow down</h1>' }))
  await page.goto(`${server.url}/#/?id=${id}`)
  await page.getByRole('heading', { name: 'Request refused' }).waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
  await page.unroute(/\/upload\//)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'No files yet' }).waitFor()
})

test('a link to manage an upload that is opened on the same page is applied, and removed from the URL', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const { id, uploadToken = '' } = await createClient({ baseURL: server.url }).createUpload({
    e2ee: 'age',
  })
  await page.goto(`${server.url}/#/?id=${id}`)
  await page.getByRole('heading', { name: 'No files yet' }).waitFor()
  await page.goto(`${server.url}/#/?id=${id}&uploadToken=${uploadToken}#key=a%20b`)
  await page.getByRole('button', { name: 'Delete upload' }).waitFor()
  expect(page.url()).toBe(`${server.url}/#/?id=${id}#key=a%20b`)
  expect(pageErrors).toEqual([])
})
