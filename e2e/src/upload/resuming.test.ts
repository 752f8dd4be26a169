import { hash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withKey } from '@svc/contract'
import { generatePassphrase } from '@svc/encryption'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { decrypted, encrypted } from '../support/encryption/age.ts'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import {
  choose,
  downloaded,
  flip,
  openOptions,
  opened,
  pick,
  send,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { checkState, expectFocus, overflow } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let proxy: ConnectionProxy
let browser: Browser
let folder: string
beforeAll(async () => {
  ;[server, browser, folder] = await Promise.all([
    // It has a short timeout for stalled transfers.
    startServer({ SHUTDOWN_TIMEOUT_STR: '1s' }),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-e2e-resuming-')),
  ])
  proxy = await startConnectionProxy(server.url)
})
afterEach(() => {
  proxy.restore()
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const keyOf = (link: string) => link.split('#key=')[1] ?? ''
/** The page waits longer after each attempt, so the end may take a while. */
const uploaded = (page: Page) =>
  page.getByRole('heading', { name: 'Ready to share' }).waitFor({ timeout: 90_000 })
const filesOf = async (link: string) =>
  (await createClient({ baseURL: server.url }).upload(uploadIdOf(link))).files

/** Chooses a folder `trip` with one file in it. */
async function chooseIn(page: Page, name: string, bytes: Buffer): Promise<void> {
  const trip = path.join(await mkdtemp(path.join(folder, 'x')), 'trip')
  await mkdir(trip)
  await writeFile(path.join(trip, name), bytes)
  await page.goto(`${proxy.url}/`)
  await opened(page)
  await page.setInputFiles('[data-testid=folder]', trip)
  await sendButton(page).waitFor()
}

/** The offsets at which resumable uploads continued. */
const offsets = () =>
  [
    ...proxy
      .recorded()
      .toString('latin1')
      .matchAll(/^upload-offset: (\d+)\r$/gim),
  ].map(([, offset]) => Number(offset))

test('an encrypted file resumes after a cut, and its link is shown at once', async () => {
  const bytes = randomBytes(20_000_000)
  const { page, pageErrors } = await visit(browser, proxy.url)
  await chooseIn(page, 'day 1.bin', bytes)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  const passphrase = page.getByLabel('Passphrase', { exact: true })
  // The page generates one first.
  await expect.poll(() => passphrase.inputValue()).not.toBe('')
  await passphrase.fill('a passphrase of my own')
  const stalled = proxy.stall(12_000_000)
  await sendButton(page).click()
  await stalled
  const link = await shareLink(page)
  expect(link).toBe(`${proxy.url}/#/?id=${uploadIdOf(link)}&manifest=1#key=a%20passphrase%20of%20my%20own`)
  proxy.cut()
  await page.getByText('No connection. The upload resumes where it stopped').waitFor()
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'encrypted-cut')
  proxy.restore()
  await uploaded(page)
  expect(Math.max(...offsets())).toBeGreaterThan(8_000_000)
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.upload(uploadIdOf(link))
  expect(upload.files).toMatchObject([
    { fileName: 'trip/day 1.bin', status: 'uploaded' },
    { fileName: '.svc-manifest.age', status: 'uploaded' },
  ])
  const [file] = upload.files
  if (file === undefined) throw new Error('there is no file')
  const bytesOnServer = new Uint8Array(await (await sdk.download(upload, file)).arrayBuffer())
  expect((await decrypted(bytesOnServer, 'a passphrase of my own')).equals(bytes)).toBe(true)
  expect(pageErrors).toEqual([])
})

test('a file resumes after a restart of the server', async () => {
  const bytes = randomBytes(20_000_000)
  const { page, pageErrors } = await visit(browser, proxy.url)
  await chooseIn(page, 'b.bin', bytes)
  const stalled = proxy.stall(15_000_000)
  await sendButton(page).click()
  await stalled
  await server.restart()
  await checkState(page, 'restarted')
  proxy.restore()
  await uploaded(page)
  expect(await filesOf(await shareLink(page))).toMatchObject([
    { fileName: 'trip/b.bin', status: 'uploaded', md5: hash('md5', bytes) },
  ])
  expect(pageErrors).toEqual([])
})

test('a file can be paused, cancelled and retried, and keeps its folders', async () => {
  const bytes = randomBytes(3_000_000)
  const { page, pageErrors } = await visit(browser, proxy.url)
  await chooseIn(page, 'c.bin', bytes)
  const stalled = proxy.stall(1_000_000)
  await sendButton(page).click()
  await stalled
  await page.getByRole('button', { name: 'Pause trip/c.bin' }).click()
  await page.getByRole('heading', { name: 'Paused' }).waitFor()
  await expectFocus(page.getByRole('button', { name: 'Resume trip/c.bin' }))
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'paused')
  proxy.restore()
  const stalledAgain = proxy.stall(500_000)
  await page.getByRole('button', { name: 'Resume all', exact: true }).click()
  await stalledAgain
  await expectFocus(page.getByRole('button', { name: 'Pause all' }))
  await page.getByRole('button', { name: 'Cancel trip/c.bin' }).click()
  await page.getByRole('heading', { name: 'Nothing was uploaded' }).waitFor()
  proxy.restore()
  await page.getByRole('button', { name: 'Upload after all' }).click()
  await uploaded(page)
  const files = await filesOf(await shareLink(page))
  expect(files.filter(({ status }) => status === 'uploaded')).toMatchObject([
    { fileName: 'trip/c.bin', md5: hash('md5', bytes) },
  ])
  expect(pageErrors).toEqual([])
})

test('a file that is added later is encrypted with the key of the link', async () => {
  // Of a program that sends no manifest.
  const sdk = createClient({ baseURL: proxy.url })
  const upload = await sdk.createUpload({ e2ee: 'age' })
  const passphrase = generatePassphrase()
  const first = new Blob([new Uint8Array(await encrypted(Buffer.from('first'), passphrase))])
  const { uploadToken = '' } = upload
  await sdk.addFile(upload.id, first, { fileName: 'first.txt', uploadToken, e2ee: 'age' })
  const link = withKey(sdk.pageURL(upload), passphrase)
  const own = withKey(sdk.pageURL(upload, { uploadToken }), passphrase)
  const owner = await visit(browser, proxy.url)
  await owner.page.goto(own)
  await owner.page.getByText('New files are encrypted with the passphrase of this link.').waitFor()
  expect(owner.page.url()).toBe(link)
  await pick(owner.page, [{ name: 'second.txt', bytes: Buffer.from('second') }])
  const got = await downloaded(owner.page, () =>
    owner.page.getByRole('link', { name: 'Download second.txt' }).click(),
  )
  expect(got.bytes.toString()).toBe('second')
  expect(await violations(owner.page)).toEqual([])
  await screenshot(owner.page, 'encrypted-added')

  // A visitor with the link but without the key is asked for it, and a wrong key adds nothing.
  const other = await visit(browser, proxy.url)
  await other.page.goto(own.replace(/#key=.*/, ''))
  await other.page.getByText('New files are encrypted with the passphrase of this link.').waitFor()
  await pick(other.page, [{ name: 'third.txt', bytes: Buffer.from('third') }])
  const field = other.page
    .getByRole('dialog', { name: 'Passphrase' })
    .getByLabel('Passphrase', { exact: true })
  await field.fill('wrong')
  await other.page.keyboard.press('Enter')
  await other.page.getByText('Wrong passphrase.').waitFor()
  await field.fill(keyOf(link))
  await other.page.keyboard.press('Enter')
  await expect
    .poll(async () => (await filesOf(link)).filter(({ status }) => status === 'uploaded').length, {
      timeout: 60_000,
    })
    .toBe(3)
  expect([...owner.pageErrors, ...other.pageErrors]).toEqual([])
})

const widths = [1440, 820, 390]

test.for(['light', 'dark'] as const)(
  'encryption fits every window, and axe finds nothing, in %s colours',
  async (colorScheme) => {
    const { page, context, pageErrors } = await visit(browser, proxy.url, { colorScheme })
    const check = async (name: string) => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 850 })
        expect(await overflow(page)).toBe(0)
        await screenshot(page, `encrypted-${name}-${colorScheme}-${String(width)}`)
      }
      expect(await violations(page)).toEqual([])
    }
    await choose(page, proxy.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
    await openOptions(page)
    await flip(page, 'End-to-end encryption')
    await expect.poll(() => page.getByLabel('Passphrase', { exact: true }).inputValue()).not.toBe('')
    await check('1-options')
    const link = await send(page)
    await check('2-sent')
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await page.goto(link.replace(/#key=.*/, ''))
    await page.getByRole('button', { name: 'Enter passphrase' }).waitFor()
    await check('3-received')
    await page.getByRole('button', { name: 'Enter passphrase' }).click()
    const dialog = page.getByRole('dialog', { name: 'Passphrase' })
    await dialog.waitFor()
    await check('4-key')
    await dialog.getByLabel('Passphrase', { exact: true }).fill(keyOf(link))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await downloaded(page, () => page.getByRole('link', { name: 'Download', exact: true }).click())
    await page.getByText('Decrypted and saved.').waitFor()
    await check('5-saved')
    expect(pageErrors).toEqual([])
    await context.close()
  },
)
