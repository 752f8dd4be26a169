import { randomBytes } from 'node:crypto'
import { manifestName, type Upload } from '@svc/contract'
import { createPlainEngine, generateKeyPair, encryptManifest, type KeyPair } from '@svc/encryption'
import { createClient, type Client } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { beMalicious, fileOf, without, type Malice } from '../support/encryption/malice.ts'
import { installSvc, type Svc } from '../support/encryption/svc.ts'
import { silence } from '../support/samples/media.ts'
import { downloaded, pick } from '../support/page-actions.ts'
import { pageChecker } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

// The page reads what svc has sent, from a server that has turned against its users.

let server: StartedServer
let browser: Browser
let sdk: Client
let svc: Svc
let pair: KeyPair
const large = randomBytes(3_000_000)

beforeAll(async () => {
  ;[server, browser, pair] = await Promise.all([startServer(), launch(), generateKeyPair()])
  sdk = createClient({ baseURL: server.url })
  svc = await installSvc(server.url)
  await svc.write('a.txt', 'content of a')
  await svc.write('b.txt', 'content of b')
  await svc.write('large.bin', large)
  await svc.write('other.bin', randomBytes(large.length))
  await svc.write('film.wav', silence(1))
})
afterAll(() => Promise.all([server.stop(), browser.close(), svc.remove()]))

const ways = ['passphrase', 'recipient'] as const
type Way = (typeof ways)[number]

interface Sent {
  readonly link: string
  readonly upload: Upload
}

/** @returns a link that opens the files: for recipients, with their key */
async function send(way: Way, ...names: readonly string[]): Promise<Sent> {
  const options = way === 'passphrase' ? ['-s'] : ['--recipient', pair.recipient]
  const { status, output, stderr } = await svc.run(...names, ...options)
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const [sent = ''] = output.split('\n')
  const link = way === 'passphrase' ? sent : `${sent}#key=${pair.identity}`
  return { link, upload: await sdk.upload(uploadIdOf(link)) }
}

async function openOn(link: string, malice: Malice = {}) {
  const visited = await visit(browser, server.url)
  await beMalicious(visited.page, malice)
  await visited.page.goto(link)
  await visited.page.locator('.list-row, .hero').first().waitFor()
  return visited
}
const get = (page: Page, name: string) => page.getByRole('link', { name: `Download ${name}`, exact: true })
const all = (page: Page) => page.getByRole('link', { name: /^Download all as ZIP/ })
const alert = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words })
/** The bytes of one file instead of those of another. */
const instead =
  ({ upload }: Sent, requested: string, substitute: string): Required<Malice>['file'] =>
  (id) =>
    fileOf(upload, id === fileOf(upload, requested).id ? substitute : id)

describe.each(ways)('an upload of svc for a %s', (way) => {
  test('is downloaded, and its mark stays in the links of the page', async () => {
    const { link } = await send(way, 'a.txt', 'b.txt', 'large.bin')
    const [, mark = ''] = /[&]manifest=([\w-]+)/.exec(link) ?? []
    const { page, pageErrors } = await openOn(link)
    expect(await page.getByText(manifestName).count()).toBe(0)
    const got = await downloaded(page, () => get(page, 'large.bin').click())
    expect(got.bytes.equals(large)).toBe(true)
    const zip = await downloaded(page, () => all(page).click())
    expect(zip.bytes.includes('content of b')).toBe(true)
    await page.getByRole('link', { name: 'View a.txt' }).click()
    await page.locator('.cm-content').getByText('content of a').waitFor()
    expect(page.url()).toContain(`manifest=${mark}`)
    await page.getByRole('button', { name: 'Next file' }).click()
    await page.locator('.cm-content').getByText('content of b').waitFor()
    expect(page.url()).toContain(`manifest=${mark}`)
    await expect.poll(() => page.getByRole('textbox', { name: 'Link to this page' }).inputValue()).toBe(link)
    await page.getByRole('button', { name: 'Back to all files' }).click()
    expect(page.url()).toContain(`manifest=${mark}`)
    expect(await page.getByRole('alert').allTextContents()).toEqual([])
    expect(pageErrors).toEqual([])
  })

  test('with a swapped content: its download fails, and the others are not affected', async () => {
    const sent = await send(way, 'a.txt', 'b.txt', 'large.bin')
    const { page, pageErrors } = await openOn(sent.link, { file: instead(sent, 'a.txt', 'b.txt') })
    await get(page, 'a.txt').click()
    await alert(page, 'The content is not the one that was sent').waitFor()
    await alert(page, 'Some files are not what the sender sent').waitFor()
    await get(page, 'a.txt').waitFor({ state: 'detached' })
    const got = await downloaded(page, () => get(page, 'b.txt').click())
    expect(got.bytes.toString()).toBe('content of b')
    // A file that is known to be another one is left out.
    const zip = await downloaded(page, () => all(page).click())
    expect(['a.txt', 'b.txt', 'large.bin'].filter((name) => zip.bytes.includes(name))).toEqual([
      'b.txt',
      'large.bin',
    ])
    expect(pageErrors).toEqual([])
  })

  test('with a swapped content: the viewer shows the error instead', async () => {
    const sent = await send(way, 'a.txt', 'b.txt')
    const { page } = await openOn(sent.link, { file: instead(sent, 'a.txt', 'b.txt') })
    await page.getByRole('link', { name: 'View a.txt' }).click()
    const viewer = page.getByRole('region', { name: 'View a.txt' })
    await viewer.getByText('The content is not the one that was sent').waitFor()
    await page.getByRole('button', { name: 'Next file' }).click()
    await page.locator('.cm-content').getByText('content of b').waitFor()
  })

  test('with swapped names, with a file that is withheld, and one that was added', async () => {
    const sent = await send(way, 'a.txt', 'b.txt', 'large.bin')
    const added = { ...fileOf(sent.upload, 'a.txt'), id: 'x'.repeat(16), fileName: 'added.txt' }
    const names = { 'a.txt': 'b.txt', 'b.txt': 'a.txt' } as Readonly<Record<string, string>>
    const { page, pageErrors } = await openOn(sent.link, {
      upload: (upload) => ({
        ...without(upload, 'large.bin'),
        files: [
          ...without(upload, 'large.bin').files.map((file) => ({
            ...file,
            fileName: names[file.fileName] ?? file.fileName,
          })),
          added,
        ],
      }),
    })
    await page.getByText('This file was sent as a.txt').waitFor()
    await page.getByText('This file was sent as b.txt').waitFor()
    await page.getByText('The sender of the link did not send this file').waitFor()
    await alert(page, 'large.bin').getByText('not here').waitFor()
    for (const name of ['a.txt', 'b.txt', 'added.txt']) expect(await get(page, name).count()).toBe(0)
    if (way === 'passphrase') {
      const { checkViews, problems } = pageChecker(page, 'manifest')
      await checkViews('refused')
      expect(problems).toEqual([])
    }
    expect(pageErrors).toEqual([])
  })

  test('whose manifest is withheld, forged or of another upload is refused', async () => {
    const sent = await send(way, 'a.txt', 'b.txt')
    const refused = async (malice: Malice, words: string) => {
      const { page, pageErrors } = await openOn(sent.link, malice)
      await alert(page, 'Do not use these files').getByText(words).waitFor()
      await get(page, 'a.txt').waitFor({ state: 'detached' })
      expect(await all(page).count()).toBe(0)
      // Nothing suggests that they can be opened or passed on.
      expect(await page.getByRole('button', { name: 'Copy link' }).count()).toBe(0)
      expect(await page.getByText('Your browser decrypts them').count()).toBe(0)
      expect(pageErrors).toEqual([])
      return page
    }
    const page = await refused({ upload: (upload) => without(upload, manifestName) }, 'missing on the server')
    if (way === 'passphrase') {
      const { checkViews, problems } = pageChecker(page, 'manifest')
      await checkViews('withheld')
      expect(problems).toEqual([])
    }
    const sizeOfManifest = (size: number) => (upload: Upload) => ({
      ...upload,
      files: upload.files.map((file) =>
        file.fileName === manifestName ? { ...file, fileSize: size } : file,
      ),
    })
    await refused(
      {
        upload: sizeOfManifest(fileOf(sent.upload, 'a.txt').fileSize),
        file: instead(sent, manifestName, 'a.txt'),
      },
      'was not written by the sender of this link',
    )
    await refused(
      {
        file: (id) =>
          id === fileOf(sent.upload, manifestName).id
            ? { id: 'nosuchfile', fileName: 'none' }
            : fileOf(sent.upload, id),
      },
      'missing on the server',
    )
    // For recipients, anyone can encrypt a manifest.
    if (way === 'passphrase') return
    const forged = await encryptManifest(
      { upload: sent.upload.id, files: [] },
      { recipients: [pair.recipient] },
      createPlainEngine(),
    )
    const own = await openOn(sent.link.replace(/manifest=[\w-]+/, `manifest=${forged.mark}`))
    await alert(own.page, 'was not written by the sender of this link').waitFor()
  })
})

test('of a swapped content of the same size, a download and a zip fail in the browser', async () => {
  const sent = await send('passphrase', 'large.bin', 'other.bin')
  const { page } = await openOn(sent.link, { file: instead(sent, 'other.bin', 'large.bin') })
  for (const click of [() => all(page).click(), () => get(page, 'other.bin').click()]) {
    const [download] = await Promise.all([page.waitForEvent('download'), click()])
    expect(await download.failure()).not.toBe(null)
    await alert(page, 'The content is not the one that was sent').waitFor()
    await page.reload()
    await get(page, 'other.bin').waitFor()
  }
})

test('files that are not refused are saved together', async () => {
  const { link } = await send('passphrase', 'a.txt', 'b.txt', 'large.bin')
  const { page } = await openOn(link, {
    upload: (upload) => ({
      ...upload,
      files: upload.files.map((file) =>
        file.fileName === 'a.txt' ? { ...file, fileName: 'other.txt' } : file,
      ),
    }),
  })
  await page.getByText('This file was sent as a.txt').waitFor()
  const { bytes } = await downloaded(page, () => all(page).click())
  const names = ['other.txt', 'a.txt', 'b.txt', 'large.bin'].filter((name) => bytes.includes(name))
  expect(names).toEqual(['b.txt', 'large.bin'])
})

test('without a mark, a manifest is used; nothing proves that of recipients', async () => {
  const withPassphrase = await send('passphrase', 'a.txt', 'b.txt')
  const unmarked = (link: string) => link.replace(/&manifest=[\w-]+/, '')
  const malice = { file: instead(withPassphrase, 'a.txt', 'b.txt') }
  const { page } = await openOn(unmarked(withPassphrase.link), malice)
  await get(page, 'a.txt').click()
  await alert(page, 'The content is not the one that was sent').waitFor()

  const forRecipient = await openOn(unmarked((await send('recipient', 'a.txt', 'b.txt')).link))
  await forRecipient.page.getByText('A part of the link is missing').waitFor()
  expect(
    (await downloaded(forRecipient.page, () => get(forRecipient.page, 'a.txt').click())).bytes.toString(),
  ).toBe('content of a')

  const none = await openOn(unmarked(withPassphrase.link), {
    upload: (upload) => without(upload, manifestName),
  })
  expect((await downloaded(none.page, () => get(none.page, 'a.txt').click())).bytes.toString()).toBe(
    'content of a',
  )
  expect(await none.page.getByRole('alert').allTextContents()).toEqual([])
})

test('the key that the link lacks is asked once, and a short link keeps the mark', async () => {
  const { link, upload } = await send('passphrase', 'a.txt', 'b.txt')
  const [address = '', key = ''] = link.split('#key=')
  const { page } = await openOn(address)
  await get(page, 'a.txt').click()
  const dialog = page.getByRole('dialog', { name: 'Passphrase' })
  const enter = async (text: string) => {
    await dialog.getByLabel('Passphrase', { exact: true }).fill(text)
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  }
  await enter('wrong')
  await dialog.getByText('Wrong passphrase').waitFor()
  expect((await downloaded(page, () => enter(key))).bytes.toString()).toBe('content of a')

  const short = await openOn(`${server.url}/s/${upload.id}#manifest=1#key=${key}`, {
    upload: (upload) => without(upload, manifestName),
  })
  await alert(short.page, 'missing on the server').waitFor()
})

test('sound plays after its comparison', async () => {
  const sent = await send('passphrase', 'film.wav', 'a.txt')
  const { page } = await openOn(sent.link)
  await page.getByRole('link', { name: 'View film.wav' }).click()
  await page.locator('audio').waitFor()
})

test('an owner who adds files although the manifest is withheld is asked for the passphrase', async () => {
  const upload = await sdk.createUpload({ e2ee: 'age' })
  const { uploadToken = '' } = upload
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${sdk.pageURL(upload, { uploadToken })}&manifest=1`)
  await alert(page, 'missing on the server').waitFor()
  await pick(page, [{ name: 'a.txt', bytes: Buffer.from('content of a') }])
  await page.getByRole('dialog', { name: 'Passphrase' }).waitFor()
  expect(pageErrors).toEqual([])
})
