import { isManifest, limits, type Upload } from '@svc/contract'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { encrypted } from '../support/encryption/age.ts'
import { blackPicture, largePicture, picture } from '../support/samples/media.ts'
import { files, flip, opened, openOptions, send, sendButton, withoutEvents } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const image = (name: string, bytes: Uint8Array) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.from(bytes),
})
const idOf = (link: string): string => /id=(\w{16})/.exec(link)?.[1] ?? ''
const sdk = () => createClient({ baseURL: server.url })
async function previewsOf(id: string): Promise<readonly (boolean | undefined)[]> {
  const upload = await sdk().upload(id)
  return upload.files.filter((file) => !isManifest(upload, file)).map(({ preview }) => preview)
}

/** Sends images from a page. */
async function sendImages(sent: readonly ReturnType<typeof image>[], options: readonly string[] = []) {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.setInputFiles(files, [...sent])
  await sendButton(page).waitFor()
  if (options.length > 0) await openOptions(page)
  for (const option of options) await flip(page, option)
  return { pageErrors, link: await send(page) }
}

/** Opens a page elsewhere, and counts what it asks for. */
async function visitElsewhere(link: string) {
  const { page, pageErrors } = await visit(browser, server.url)
  const requests = { files: 0, previews: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/file/')) requests.files += 1
    if (pathname.startsWith('/preview/')) requests.previews += 1
  })
  await page.goto(link)
  await opened(page)
  return { page, pageErrors, requests }
}

const pictures = (page: Page) => page.locator('.thumbnail img')
/** The pixels of decoded pictures. */
const widths = (page: Page): Promise<number[]> =>
  pictures(page).evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth))

test.for([
  ['plain', [], 0],
  // The file is the manifest.
  ['encrypted', ['End-to-end encryption'], 1],
] as const)(
  'the previews of two %s images are shown elsewhere without loading them',
  async ([name, options, loaded]) => {
    const { pageErrors, link } = await sendImages(
      [image('one.png', largePicture()), image('two.png', picture)],
      options,
    )
    await expect.poll(() => previewsOf(idOf(link)), { timeout: 90_000 }).toEqual([true, true])
    const elsewhere = await visitElsewhere(link)
    await expect.poll(() => widths(elsewhere.page), { timeout: 90_000 }).toEqual([112, 112])
    await elsewhere.page.waitForLoadState('networkidle')
    expect(elsewhere.requests).toEqual({ files: loaded, previews: 2 })
    expect(await violations(elsewhere.page)).toEqual([])
    await screenshot(elsewhere.page, `previews-${name}`)
    expect([pageErrors, elsewhere.pageErrors]).toEqual([[], []])
  },
)

test('a protected upload shows its previews once the password is given', async () => {
  const upload = await sdk().createUpload({ password: 'secret' })
  const { uploadToken } = upload
  const file = await sdk().addFile(upload.id, new Blob([picture]), { fileName: 'one.png', uploadToken })
  await sdk().addPreview(upload.id, file, picture, { uploadToken })
  const { page, requests, pageErrors } = await visitElsewhere(sdk().pageURL(upload))
  expect(requests.previews).toBe(0)
  await page.getByLabel('Password', { exact: true }).fill('secret')
  await page.keyboard.press('Enter')
  await pictures(page).waitFor()
  expect(requests).toEqual({ files: 0, previews: 1 })
  expect(pageErrors).toEqual([])
})

test('the only encrypted image is shown large from its preview, which the server cannot read', async () => {
  const { link } = await sendImages([image('one.png', largePicture())], ['End-to-end encryption'])
  const id = idOf(link)
  await expect.poll(() => previewsOf(id), { timeout: 90_000 }).toEqual([true])
  const { page, requests, pageErrors } = await visitElsewhere(link)
  await page.locator('.hero .thumbnail img').waitFor()
  const size = await pictures(page).evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])
  expect(Math.max(...size)).toBeGreaterThanOrEqual(200)
  // The file is the manifest.
  expect(requests).toEqual({ files: 1, previews: 1 })
  await screenshot(page, 'preview-hero-encrypted')
  const upload = await sdk().upload(id)
  const [file] = upload.files
  if (file === undefined) throw new Error('no file')
  const stored = Buffer.from(await (await sdk().preview(upload, file)).arrayBuffer())
  expect(stored.subarray(0, 22).toString()).toBe('age-encryption.org/v1\n')
  expect(stored.length).toBeLessThanOrEqual(limits.previewBytes)
  expect(pageErrors).toEqual([])
})

test('without the key, an encrypted upload asks for no preview', async () => {
  const { link } = await sendImages([image('one.png', picture)], ['End-to-end encryption'])
  await expect.poll(() => previewsOf(idOf(link)), { timeout: 90_000 }).toEqual([true])
  const { page, requests } = await visitElsewhere(link.replace(/#key=.*|&key=.*/, ''))
  await page.waitForLoadState('networkidle')
  expect([requests, await pictures(page).count()]).toEqual([{ files: 0, previews: 0 }, 0])
})

test('no preview is sent of a file that can be downloaded once', async () => {
  const { page } = await visit(browser, server.url)
  await withoutEvents(page)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent += 1
  })
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.setInputFiles(files, [image('one.png', picture)])
  await openOptions(page)
  await flip(page, 'One-time download')
  await send(page)
  await page.waitForLoadState('networkidle')
  expect(sent).toBe(0)
})

test('an upload is ready although its previews fail', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  let refused = 0
  await page.route('**/preview/**', (route) => {
    refused += 1
    return route.abort()
  })
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.setInputFiles(files, [image('one.png', picture), image('two.png', picture)])
  const link = await send(page)
  await expect.poll(() => refused, { timeout: 90_000 }).toBe(2)
  expect(await previewsOf(idOf(link))).toEqual([undefined, undefined])
  expect(pageErrors).toEqual([])
})

test('broken, huge, costly and foreign previews of other senders leave the icon', async () => {
  const upload = await sdk().createUpload({ e2ee: 'age' })
  const plain = await sdk().createUpload({})
  const add = async (to: Upload, fileName: string, preview: Uint8Array<ArrayBuffer>) => {
    const { uploadToken } = to
    const content = new Blob([new Uint8Array(await encrypted(Buffer.alloc(40_000), 'our secret'))])
    const file = await sdk().addFile(to.id, content, { fileName, uploadToken })
    await sdk().addPreview(to.id, file, preview, { uploadToken })
  }
  const encryptedPreview = async (content: Uint8Array) =>
    new Uint8Array(await encrypted(Buffer.from(content), 'our secret'))
  await add(upload, 'right.png', await encryptedPreview(picture))
  await add(
    upload,
    'svg.png',
    await encryptedPreview(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
  )
  await add(upload, 'other-key.png', new Uint8Array(await encrypted(Buffer.from(picture), 'another secret')))
  // The page derives no key at such a cost without a click.
  await add(upload, 'costly.png', new Uint8Array(await encrypted(Buffer.from(picture), 'our secret', 14)))
  await add(plain, 'right.png', picture)
  await add(plain, 'broken.png', picture.slice(0, 60))
  const huge = blackPicture(30_000)
  await add(plain, 'huge.png', huge.slice(0, limits.previewBytes))
  for (const [sent, key] of [
    [upload, '#key=our%20secret'],
    [plain, ''],
  ] as const) {
    const { page, pageErrors } = await visitElsewhere(sdk().pageURL(sent) + key)
    const right = page.getByRole('listitem').filter({ hasText: 'right.png' }).locator('.thumbnail img')
    await right.waitFor({ timeout: 90_000 })
    await page.waitForLoadState('networkidle')
    await expect.poll(() => pictures(page).count()).toBe(1)
    expect(pageErrors).toEqual([])
  }
})
