import { withKey } from '@svc/contract'
import { encryptedSize, generatePassphrase, passphraseHeaderBytes } from '@svc/encryption'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { encrypted } from '../support/encryption/age.ts'
import {
  choose,
  chooseExpiry,
  listedNames,
  openOptions,
  opened,
  pick,
  send,
  sendButton,
} from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

const wide: TestUser = { login: 'wide', password: 'correct horse battery' }
const narrow: TestUser = { login: 'narrow', password: 'correct horse battery' }
const full: TestUser = { login: 'full', password: 'correct horse battery' }
const again: TestUser = { login: 'again', password: 'correct horse battery' }

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ ...withAccounts, MAX_FILE_SIZE_STR: '1000', MAX_TTL_STR: '7d', DEFAULT_TTL_STR: '7d' }),
    launch(),
  ])
  const admin = await signedIn(server.url)
  await admin.createUser({ provider: 'local', ...wide, maxFileSize: 5000, maxTTL: 30 * 86_400 })
  await admin.createUser({ provider: 'local', ...narrow, maxFileSize: 200, maxTTL: 3600 })
  for (const user of [full, again])
    await admin.createUser({ provider: 'local', ...user, maxFileSize: 5000, maxUserSize: 4000 })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const file = (bytes: number) => ({ name: `${String(bytes)}.bin`, bytes: Buffer.alloc(bytes) })
const times = (page: Page) =>
  page.getByRole('group', { name: 'Expires in' }).locator('label').allTextContents()

test('a user with higher limits than the server uploads larger files, with a longer lifetime', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, wide)
  await choose(page, server.url, [file(3000)])
  await expect.poll(() => sendButton(page).textContent()).toMatch(/^Upload 1 file/)
  await openOptions(page)
  await chooseExpiry(page, '30 days')
  const id = uploadIdOf(await send(page))
  const sdk = createClient({ baseURL: server.url })
  expect(await sdk.upload(id)).toMatchObject({ ttl: 30 * 86_400, files: [{ status: 'uploaded' }] })
  // Existing uploads accept them, too.
  await page.goto(`${server.url}/#/?id=${id}`)
  await opened(page)
  await pick(page, [file(4000), file(6000)])
  await page.getByText('6000.bin: Too large').waitFor()
  await expect.poll(async () => (await sdk.upload(id)).files.length, { timeout: 90_000 }).toBe(2)
  expect(pageErrors).toEqual([])
})

test('a user with lower limits than the server sees them before an upload', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, narrow)
  // The page is shown before the user is known.
  await page.route('**/me', async (route) => {
    await opened(page)
    await route.continue()
  })
  await page.goto(`${server.url}/#/clients`)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByText('Files are deleted after 1 hour').waitFor()
  await pick(page, [file(100), file(300)])
  await page.getByText('Too large: the limit is 200 bytes per file').waitFor()
  await openOptions(page)
  await expect.poll(() => times(page), { timeout: 90_000 }).toEqual(['1 hour', 'Custom…'])
  const { ttl } = await createClient({ baseURL: server.url }).upload(uploadIdOf(await send(page)))
  expect(ttl).toBe(3600)
  expect(pageErrors).toEqual([])
})

test('free space is shown before an upload and before files are added, and applied to both', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, full)
  await choose(page, server.url, [file(1000)])
  await page.getByText('4 kB of 4 kB free').waitFor()
  await pick(page, [file(3500)])
  await page.getByText('1 file left out: not enough storage').waitFor()
  await page.goto(await send(page))
  await page.getByText('3 kB of 4 kB free').waitFor()
  await pick(page, [file(3500), file(2000)])
  await page.getByText('3500.bin: Not enough storage: your account has 3 kB free.').waitFor()
  await page.getByText('1 kB of 4 kB free').waitFor()
  expect(await listedNames(page)).toEqual(['1000.bin', '2000.bin'])
  expect(pageErrors).toEqual([])
})

test('without a quota, no free space is shown; the bar counts files that are too large', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [file(100), file(1001), file(1002)])
  await page.getByText('2 files left out: up to 1 kB per file').waitFor()
  await pick(page, [{ name: '..', bytes: Buffer.alloc(1) }])
  await page.getByText('3 files left out: see the list').waitFor()
  expect(await page.getByText(/ of .* free$/).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('a file that is added to an encrypted upload may not exceed the limit once it is encrypted', async () => {
  // Of a program that sends no manifest.
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ e2ee: 'age' })
  const passphrase = generatePassphrase()
  const { uploadToken = '' } = upload
  const first = new Blob([new Uint8Array(await encrypted(Buffer.from('first'), passphrase))])
  await sdk.addFile(upload.id, first, { fileName: 'first.txt', uploadToken, e2ee: 'age' })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(withKey(sdk.pageURL(upload, { uploadToken }), passphrase))
  await page.getByText('New files are encrypted with the passphrase of this link.').waitFor()
  await pick(page, [file(990)])
  await page.getByText('990.bin: Too large').waitFor()
  expect(pageErrors).toEqual([])
})

test('the free space is read after an incomplete file was removed, which then starts again', async () => {
  const sdk = await signedIn(server.url, again)
  const fileSize = encryptedSize(1500, passphraseHeaderBytes)
  const upload = await sdk.createUpload({ e2ee: 'age', files: [{ fileName: 'again.bin', fileSize }] })
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, again)
  await page.goto(withKey(sdk.pageURL(upload), generatePassphrase()))
  await page.getByText('This upload is incomplete').waitFor()
  await page.getByText(/ of 4 kB free$/).waitFor()
  const requests: string[] = []
  await page.route(`**/file/${upload.id}/**`, async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'DELETE') requests.push('removed')
    await route.fulfill({ response })
  })
  page.on('request', (request) => {
    if (request.url().endsWith('/me/stats')) requests.push('asked')
  })
  await pick(page, [{ name: 'again.bin', bytes: Buffer.alloc(1500) }])
  await expect
    .poll(async () => (await sdk.upload(upload.id)).files.map(({ status }) => status))
    .toContain('uploaded')
  expect(requests.slice(0, 2)).toEqual(['removed', 'asked'])
  expect(pageErrors).toEqual([])
})
