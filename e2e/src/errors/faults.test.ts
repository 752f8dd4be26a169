import { hash, randomBytes } from 'node:crypto'
import { createClient } from '@svc/sdk'
import type { UploadOptions } from '@svc/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, launchWithoutStorage, visit } from '../support/browser.ts'
import { expire } from '../support/expire.ts'
import {
  choose,
  downloaded,
  flip,
  linkToManage,
  listedNames,
  openOptions,
  pick,
  send,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { checkState, overflow } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { clickInDialog, uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let proxy: ConnectionProxy
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  proxy = await startConnectionProxy(server.url)
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await server.stop()
})

const createSdk = () => createClient({ baseURL: server.url })

async function newUser(login: string, more: object = {}): Promise<TestUser> {
  const user = { login, password: 'long enough' }
  await (await signedIn(server.url)).createUser({ provider: 'local', ...user, ...more })
  return user
}

/** An upload with files of these names, each with its name as its content. */
async function uploadOf(names: readonly string[], options: UploadOptions = {}) {
  const owner = createSdk()
  const upload = await owner.createUpload(options)
  const { uploadToken } = upload
  const files = []
  for (const fileName of names)
    files.push(await owner.addFile(upload.id, new Blob([fileName]), { fileName, uploadToken }))
  return { owner, upload, files, access: { uploadToken }, link: owner.pageURL(upload) }
}

test('a session that ends during an upload does not end the upload', async () => {
  const bytes = randomBytes(8_000_000)
  const user = await newUser('olga')
  const { page, pageErrors } = await visit(browser, proxy.url)
  await logIn(page, proxy.url, user)
  await pick(page, [
    { name: 'first.bin', bytes },
    { name: 'second.txt', bytes: Buffer.from('second') },
  ])
  const stalled = proxy.stall(4_000_000)
  await sendButton(page).click()
  await stalled
  const sdk = await signedIn(server.url, user)
  for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  // The connection is cut as well, so that the rest begins without the session.
  proxy.cut()
  await page.getByText('No connection. The upload resumes where it stopped').first().waitFor()
  await checkState(page, 'fault-cut')
  proxy.restore()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor({ timeout: 90_000 })
  const { results } = await sdk.myUploads()
  expect(results.map(({ id }) => id)).toEqual([uploadIdOf(await shareLink(page))])
  expect(results[0]?.files).toMatchObject([
    { fileName: 'first.bin', status: 'uploaded', md5: hash('md5', bytes) },
    { fileName: 'second.txt', status: 'uploaded' },
  ])
  await checkState(page, 'fault-session-ended')
  expect(pageErrors).toEqual([])
})

/** A user with 600 free bytes of 1,000. */
async function nearlyFull(login: string) {
  const user = await newUser(login, { maxUserSize: 1000 })
  const owner = await signedIn(server.url, user)
  const { id, uploadToken } = await owner.createUpload()
  await owner.addFile(id, new Blob([randomBytes(400)]), { fileName: 'kept.bin', uploadToken })
  return { user, owner, id }
}
const oneThatFits = () => [
  { name: 'fits.bin', bytes: randomBytes(400) },
  { name: 'too much.bin', bytes: randomBytes(700) },
]

test('a file that does not fit in the free space of the account is refused before the upload', async () => {
  const { user } = await nearlyFull('quirin')
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await pick(page, oneThatFits())
  await page.getByText('Not enough storage: your account has 600 bytes free.').waitFor()
  await checkState(page, 'fault-no-space')
  await page.getByRole('button', { name: 'Upload 1 file, 400 bytes' }).click()
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  await page.getByText('Not enough storage').waitFor()
  expect(pageErrors).toEqual([])
})

test('a file without space fails alone, and shows the reason', async () => {
  // However early the larger file is sent, it does not fit.
  const { user, owner, id } = await nearlyFull('quentin')
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  // The page does not know how much is free.
  await page.route('**/me/stats', (route) => route.fulfill({ status: 503, body: '' }))
  await pick(page, oneThatFits())
  await sendButton(page).click()
  await page.getByRole('heading', { name: '1 file was not uploaded' }).waitFor()
  await page.getByRole('alert').getByText('There is not enough storage left for this file.').waitFor()
  await checkState(page, 'fault-quota')
  const { results } = await owner.myUploads()
  const uploaded = results
    .find((upload) => upload.id !== id)
    ?.files.filter(({ status }) => status === 'uploaded')
  expect(uploaded?.map(({ fileName }) => fileName)).toEqual(['fits.bin'])
  expect(pageErrors).toEqual([])
})

test('an upload that its owner removes while it is shown is reported as removed', async () => {
  const { owner, upload, files, access, link } = await uploadOf(['a.txt', 'b.txt'])
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  await page.getByRole('link', { name: 'a.txt', exact: true }).click()
  await page.getByTestId('text-viewer').getByText('a.txt').waitFor()
  for (const file of files) await owner.removeFile(upload.id, file, access)
  // The next file can no longer be downloaded, though the page does not know it yet.
  await page.keyboard.press('ArrowRight')
  await page.getByRole('alert').getByText('The file has expired, was deleted').waitFor()
  await checkState(page, 'fault-viewed-removed')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Download b.txt' }).click()
  await page.getByRole('heading', { name: 'These files are no longer available' }).waitFor()
  await expect.poll(() => page.getByText('Unavailable').count()).toBe(2)
  await checkState(page, 'fault-files-removed')
  await owner.removeUpload(upload.id, access)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await checkState(page, 'fault-upload-removed')
  expect(pageErrors).toEqual([])
})

test('a response that was on its way when its upload was deleted does not show it again', async () => {
  const { upload, link } = await uploadOf(['a.txt'])
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${link}&uploadToken=${upload.uploadToken ?? ''}`)
  await page.getByRole('button', { name: 'Delete upload' }).waitFor()
  const asked = Promise.withResolvers<undefined>()
  const deleted = Promise.withResolvers<undefined>()
  await page.route(`**/upload/${upload.id}`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    asked.resolve(undefined)
    await deleted.promise
    return route.fulfill({ response })
  })
  const late = page.waitForResponse((response) => response.request().method() === 'GET')
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await asked.promise
  await page.getByRole('button', { name: 'Delete upload' }).click()
  await clickInDialog(page, 'Delete')
  const heading = page.getByRole('heading', { name: 'Upload deleted' })
  await heading.waitFor()
  deleted.resolve(undefined)
  await (await late).finished()
  // The page has drawn what it makes of the response.
  await overflow(page)
  expect(await heading.count()).toBe(1)
  expect(pageErrors).toEqual([])
})

test('an upload that expires while its page is open is reported as expired', async () => {
  const { upload, link } = await uploadOf(['a.txt'], { ttl: 3600 })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.clock.install()
  await page.goto(link)
  await page.getByText(/^Expires in (?:1 hour|59 minutes)/).waitFor()
  expire(server, upload.id)
  await page.clock.fastForward('01:00:10')
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await checkState(page, 'fault-expired')
  expect(pageErrors).toEqual([])
})

test('a clock that is a day ahead or behind changes no expiry', async () => {
  const { link } = await uploadOf(['a.txt'], { ttl: 7200 })
  for (const days of [-1, 1]) {
    const { page, context, pageErrors } = await visit(browser, server.url)
    await page.clock.setSystemTime(Date.now() + days * 86_400_000)
    await page.goto(link)
    await page.getByText(/^Expires in (?:2 hours|1 hour 59 minutes)/).waitFor()
    await checkState(page, `fault-clock${String(days)}`)
    await choose(page, server.url, [{ name: 'b.txt', bytes: Buffer.from('b') }])
    await send(page)
    expect(pageErrors).toEqual([])
    await context.close()
  }
})

test('a one-shot file that another client has downloaded is reported as gone', async () => {
  const { owner, upload, files, link } = await uploadOf(['once.txt'], { oneShot: true })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  await page.getByRole('link', { name: 'Download', exact: true }).click()
  const confirm = page.getByRole('button', { name: 'Download now' })
  await confirm.waitFor()
  // The page follows the upload: without its question, it might have no button any more.
  for (const file of files) expect((await fetch(owner.fileURL(upload, file))).status).toBe(200)
  await confirm.click()
  await page.getByRole('heading', { name: 'Downloaded, and gone' }).waitFor()
  await page.getByText('Unavailable').waitFor()
  await checkState(page, 'fault-taken')
  expect(pageErrors).toEqual([])
})

test('a browser without storage uploads, downloads and decrypts all the same', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { context, close } = await launchWithoutStorage()
  cleanup.defer(close)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  // The dialog that selects a file belongs to the system.
  await page.addInitScript('delete globalThis.showSaveFilePicker')
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('kept nowhere') }])
  const kept = () =>
    page.evaluate(() => {
      try {
        return typeof localStorage
      } catch (error) {
        return error instanceof Error ? error.name : 'unknown'
      }
    })
  expect(await kept()).toBe('SecurityError')
  await page.getByLabel('Theme').selectOption('dark')
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await checkState(page, 'fault-no-storage')
  const link = await send(page)
  await page.getByText('This browser cannot remember this upload.').waitFor()
  expect(await page.getByRole('switch').count()).toBe(0)
  await page.goto(await linkToManage(page))
  await page.getByRole('button', { name: 'Delete upload' }).waitFor()
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download', exact: true }).click())
  expect(got.bytes.toString()).toBe('kept nowhere')
  await checkState(page, 'fault-no-storage-fetched')
  await page.goto('about:blank')
  await page.goto(`${server.url}/#/login`)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Your browser blocks the cookie that keeps you signed in.').waitFor()
  await checkState(page, 'fault-no-cookies')
  expect(link).toContain('#key=')
  expect(errors).toEqual([])
})

test('names of 1,024 characters, of emoji and of HTML survive a round trip, and longer ones are rejected', async () => {
  const long = `${'🙂'.repeat(510)}${'x'.repeat(510)}.txt`
  const html = '<b onclick=alert(1)>“&amp;”.txt'
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 800 } })
  await choose(
    page,
    server.url,
    [long, html, '👩‍👩‍👧 שלום.txt', 'y'.repeat(1025)].map((name) => ({ name, bytes: Buffer.from(name) })),
  )
  await checkState(page, 'fault-names-chosen')
  await expect.poll(() => sendButton(page).textContent()).toContain('Upload 3 files')
  const link = await send(page)
  await checkState(page, 'fault-names-sent')
  await page.goto(link)
  await page.getByRole('heading', { name: '3 files for you' }).waitFor()
  expect(await listedNames(page)).toEqual([long, html, '👩‍👩‍👧 שלום.txt'])
  expect(await overflow(page)).toBe(0)
  await checkState(page, 'fault-names')
  for (const name of [long, html]) {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByTestId('text-viewer').getByText(name.slice(-20)).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: '3 files for you' }).waitFor()
  }
  const got = await downloaded(page, () => page.locator('a.get').first().click())
  expect(got.bytes.toString()).toBe(long)
  expect(pageErrors).toEqual([])
})
