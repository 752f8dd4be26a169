import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { manifestName } from '@svc/contract'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { age, encrypted } from '../support/encryption/age.ts'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import {
  chunk,
  damaged,
  passphrase,
  uploadEncrypted,
  downloadLink,
  truncated,
  withPassphrase,
} from '../support/encryption/encrypted-upload.ts'
import { downloaded, flip, openOptions, opened, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { silence } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let proxy: ConnectionProxy
let browser: Browser
let folder: string
beforeAll(async () => {
  ;[server, browser, folder] = await Promise.all([
    // Everything must work below a prefix, too.
    startServer({ LOG_LEVEL: 'info', PATH: '/send' }),
    launch(),
    mkdtemp(path.join(tmpdir(), 'svc-e2e-age-')),
  ])
  proxy = await startConnectionProxy(server.url)
})
afterAll(async () => {
  await browser.close()
  await proxy.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const at = (name: string) => path.join(folder, name)

const uploadFiles = (
  files: Readonly<Record<string, Uint8Array>>,
  options: { readonly oneShot?: boolean } = {},
) => uploadEncrypted(server.url, files, options)
const getButton = (page: Page, name: string) =>
  page.getByRole('link', { name: `Download ${name}`, exact: true })

async function openOn(link: string): Promise<{ page: Page; pageErrors: readonly string[] }> {
  const visited = await visit(browser, server.url)
  await visited.page.goto(link)
  await opened(visited.page)
  return visited
}

test('files that the page encrypts open with age, and no plaintext leaves the browser', async () => {
  const canary = randomBytes(24).toString('hex')
  const files = {
    'trip/day 1.txt': Buffer.from(canary),
    'trip/large.bin': Buffer.concat([randomBytes(20_000_000), Buffer.from(canary.repeat(5000))]),
    'trip/empty': Buffer.alloc(0),
  }
  const { page, pageErrors } = await visit(browser, proxy.url)
  await page.goto(`${proxy.url}/`)
  await opened(page)
  await page.evaluate(() => localStorage.clear())
  await mkdir(at('trip'))
  for (const [name, bytes] of Object.entries(files)) await writeFile(at(name), bytes)
  await page.setInputFiles('[data-testid=folder]', at('trip'))
  await sendButton(page).waitFor()
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  const generated = page.getByLabel('Passphrase', { exact: true })
  await expect.poll(() => generated.inputValue()).toMatch(/^(?:[2-9a-z]{4}-){6}[2-9a-z]{4}$/)
  const key = await generated.inputValue()
  const link = await send(page)
  expect(link).toBe(`${proxy.url}/#/?id=${uploadIdOf(link)}&manifest=1#key=${key}`)
  await page.getByRole('button', { name: 'QR code: Share this link' }).click()
  await page.getByRole('dialog').getByText(link).waitFor()
  await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await page.getByRole('link', { name: 'Save image' }).waitFor()
  await page.keyboard.press('Escape')

  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.upload(uploadIdOf(link))
  expect(upload).toMatchObject({ e2ee: 'age' })
  const names = [manifestName, ...Object.keys(files)].toSorted()
  expect(upload.files.map(({ fileName }) => fileName).toSorted()).toEqual(names)
  for (const file of upload.files.filter(({ fileName }) => fileName !== manifestName)) {
    const bytes = Buffer.from(await (await sdk.download(upload, file)).arrayBuffer())
    expect(bytes.length).toBe(file.fileSize)
    await writeFile(at('ours.age'), bytes)
    await age(key, ['-d', '-o', at('ours'), at('ours.age')])
    const content = files[file.fileName as keyof typeof files]
    // For an empty content, age creates no file.
    if (content.length > 0) expect((await readFile(at('ours'))).equals(content)).toBe(true)
  }

  const reader = await visit(browser, proxy.url)
  await reader.page.goto(link)
  const got = await downloaded(reader.page, () => getButton(reader.page, 'trip/day 1.txt').click())
  expect([got.name, got.bytes.toString()]).toEqual(['day 1.txt', canary])
  await reader.page.getByRole('link', { name: 'trip/day 1.txt', exact: true }).click()
  await reader.page.locator('.cm-content').getByText(canary).waitFor()
  expect([...pageErrors, ...reader.pageErrors]).toEqual([])

  const recorded = proxy.recorded()
  expect(recorded.includes('age-encryption.org/v1')).toBe(true)
  expect(server.output()).toContain(`"upload":"${uploadIdOf(link).slice(0, 4)}…"`)
  const places: Record<string, Buffer> = { connection: recorded, log: Buffer.from(server.output()) }
  for (const name of await readdir(server.folder, { recursive: true, withFileTypes: true })) {
    if (name.isFile()) places[name.name] = await readFile(path.join(name.parentPath, name.name))
  }
  expect(Object.keys(places).length).toBeGreaterThan(5)
  for (const secret of [canary, key, encodeURIComponent(key)]) {
    expect(
      Object.entries(places)
        .filter(([, bytes]) => bytes.includes(secret))
        .map(([place]) => place),
    ).toEqual([])
  }
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  )
  expect(kept).not.toContain(key)
})

test('files of the age command, of every size, are decrypted into downloads', async () => {
  const large = randomBytes(30_000_001)
  await writeFile(at('large'), large)
  await age(passphrase, ['-p', '-o', at('large.age'), at('large')])
  const sizes = [0, chunk - 1, chunk, chunk + 1]
  const contents = new Map(sizes.map((size) => [`${String(size)}.bin`, randomBytes(size)]))
  const link = await uploadFiles({
    'größe.bin': await readFile(at('large.age')),
    ...Object.fromEntries(
      await Promise.all(
        Array.from(contents, async ([name, bytes]) => [name, await encrypted(bytes, passphrase)] as const),
      ),
    ),
  })
  const { page, pageErrors } = await openOn(withPassphrase(link))
  for (const [name, bytes] of contents.set('größe.bin', large)) {
    const got = await downloaded(page, () => getButton(page, name).click())
    expect(got.name).toBe(name)
    expect(got.bytes.equals(bytes)).toBe(true)
  }
  await expect.poll(() => page.getByText('Decrypted and saved.').count()).toBe(contents.size)
  expect(pageErrors).toEqual([])
})

test.for([
  ['damaged', damaged, 'The file was damaged or changed'],
  ['truncated', truncated, 'The end of the file is missing'],
] as const)('a %s file never becomes a finished download', async ([name, make, words]) => {
  const { page, pageErrors } = await openOn(withPassphrase(await uploadFiles({ 'x.bin': await make() })))
  const [download] = await Promise.all([page.waitForEvent('download'), downloadLink(page).click()])
  expect(await download.failure()).not.toBe(null)
  await page.getByText(words).waitFor()
  await checkState(page, `encrypted-${name}`)
  expect(await page.getByText('Decrypted and saved.').count()).toBe(0)
  expect(pageErrors).toEqual([])
})

describe('all files at once', () => {
  const all = (page: Page) => page.getByRole('link', { name: /^Download all/ })
  const contents: Readonly<Record<string, Buffer>> = {
    'photo.bin': randomBytes(3_000_000),
    'größe.txt': Buffer.from('hello'),
    'GRÖSSE.TXT': Buffer.from('another'),
    empty: Buffer.alloc(0),
  }
  const encryptedFiles = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(contents).map(
          async ([name, content]) => [name, await encrypted(content, passphrase)] as const,
        ),
      ),
    )

  test('become one zip of their contents, with one prompt for the key', async () => {
    const link = await uploadFiles(await encryptedFiles())
    const { page, pageErrors } = await openOn(link)
    await all(page).click()
    const field = page.getByRole('dialog', { name: 'Passphrase' }).getByLabel('Passphrase', { exact: true })
    await field.fill(passphrase)
    const got = await downloaded(page, () => page.getByRole('button', { name: 'Open', exact: true }).click())
    expect(got.name).toBe(`${uploadIdOf(link)}.zip`)
    await page.getByText('Decrypted and saved.').waitFor()
    await writeFile(at('all.zip'), got.bytes)
    await promisify(execFile)('unzip', ['-q', at('all.zip'), '-d', at('all')], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
    for (const [name, content] of Object.entries(contents)) {
      // On some systems, the two names would be one file.
      const unpacked = name.replace('GRÖSSE', 'GRÖSSE (2)')
      expect((await readFile(path.join(at('all'), unpacked))).equals(content)).toBe(true)
    }
    expect(await violations(page)).toEqual([])
    await screenshot(page, 'encrypted-all')
    expect(pageErrors).toEqual([])
  })

  test('become no finished zip when one of them is damaged', async () => {
    const { page, pageErrors } = await openOn(
      withPassphrase(await uploadFiles({ ...(await encryptedFiles()), 'z.bin': await damaged() })),
    )
    const [download] = await Promise.all([page.waitForEvent('download'), all(page).click()])
    expect(await download.failure()).not.toBe(null)
    await page.getByText('The file was damaged or changed').waitFor()
    expect(await page.getByText('Decrypted and saved.').count()).toBe(0)
    expect(pageErrors).toEqual([])
  })

  test('are not offered together where each is one-shot', async () => {
    const { page } = await openOn(
      withPassphrase(await uploadFiles(await encryptedFiles(), { oneShot: true })),
    )
    await getButton(page, 'photo.bin').waitFor()
    expect(await all(page).count()).toBe(0)
  })
})

test('audio of any size can be played from any position, and only the played part is fetched', async () => {
  const long = silence(9000)
  const link = await uploadFiles({ 'long.wav': await encrypted(long, passphrase) })
  const { id = '' } = (await createClient({ baseURL: server.url }).upload(uploadIdOf(link))).files[0] ?? {}
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const starts: number[] = []
  page.on('request', (request) => {
    const [, start] = /^bytes=(\d+)-/.exec(request.headers()['range'] ?? '') ?? []
    if (start !== undefined && request.url().includes('/file/')) starts.push(Number(start))
  })
  await page.goto(withPassphrase(`${link}&file=${id}&t=8000`))
  const player = page.frameLocator('iframe').getByLabel('long.wav', { exact: true })
  const second = () => player.evaluate((element) => (element as HTMLMediaElement).currentTime)
  await expect.poll(second, { timeout: 90_000 }).toBe(8000)
  // From the position of the playback: each chunk is found without those before it. The player sets its time
  // before it requests bytes.
  const wasRequested = (from: number, to: number) =>
    starts.some((start) => start > from * 8000 && start < to * 8000)
  await expect.poll(() => wasRequested(7900, 8001), { timeout: 90_000 }).toBe(true)
  await player.evaluate(async (element) => {
    const media = element as HTMLMediaElement
    media.currentTime = 4000
    await media.play()
  })
  await expect.poll(second, { timeout: 90_000 }).toBeGreaterThan(4000)
  expect(await player.evaluate((element) => (element as HTMLMediaElement).duration)).toBe(9000)
  expect(wasRequested(3900, 4001)).toBe(true)
  // Also for the recipient of a link to a time: it ends with the key.
  await player.evaluate((element) => {
    const media = element as HTMLMediaElement
    media.pause()
    media.currentTime = 5
  })
  await page.getByRole('button', { name: 'Copy link at 5 seconds' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()), { timeout: 90_000 })
    .toBe(withPassphrase(`${link}&file=${id}&t=5`))
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'encrypted-sound')
  expect(pageErrors).toEqual([])
})
