import type { UploadOptions } from '@svc/contract'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { picture } from '../support/samples/media.ts'
import { opened, withoutEvents } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** More than the page loads for small pictures of a list. */
const size = 600_000
const names = ['1.png', '2.png', '3.png', '4.png']

/** An upload with images, of which browsers ignore what follows their end. */
async function imagesOf(options: UploadOptions = {}, sizes: readonly number[] = names.map(() => size)) {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload(options)
  const { uploadToken } = upload
  for (const [index, fileName] of names.entries()) {
    const image = new Blob([picture, new Uint8Array((sizes[index] ?? size) - picture.length)])
    await sdk.addFile(upload.id, image, { fileName, uploadToken })
  }
  const { files } = await sdk.upload(upload.id, { uploadToken })
  return { linkTo: (place: number) => sdk.pageURL(upload, { fileID: files[place]?.id ?? '' }) }
}

/** The names of the images that a page has loaded, in their order. */
const loaded = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/file/'))
      .map(({ name }) => name.split('/').at(-1)),
  )

/** Shows an image, and waits until the page loads nothing more. */
async function shown(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await opened(page)
  // On a busy machine the network is idle before the image is requested.
  await expect.poll(() => loaded(page)).toContain('2.png')
  await page.waitForLoadState('networkidle')
}

test('the next and the previous image load ahead, and are not loaded again when they are shown', async () => {
  const { linkTo } = await imagesOf()
  const { page, pageErrors } = await visit(browser, server.url)
  await shown(page, linkTo(1))
  await expect.poll(async () => (await loaded(page)).toSorted()).toEqual(['1.png', '2.png', '3.png'])
  await page.getByRole('button', { name: 'Next file' }).click()
  await page.getByText('3 of 4', { exact: true }).waitFor()
  await expect.poll(() => loaded(page)).toContain('4.png')
  expect((await loaded(page)).toSorted()).toEqual(names)
  expect(pageErrors).toEqual([])
})

test.for<readonly [string, UploadOptions]>([
  ['with a download limit', { maxDownloads: 5 }],
  ['whose downloads extend it', { extend_ttl: true }],
])('of an upload %s, only the shown image is loaded', async ([, options]) => {
  const own = await startServer({ FEATURE_EXTEND_TTL: 'enabled' })
  try {
    const sdk = createClient({ baseURL: own.url })
    const upload = await sdk.createUpload(options)
    const { uploadToken } = upload
    for (const fileName of names)
      await sdk.addFile(upload.id, new Blob([picture, new Uint8Array(size)]), { fileName, uploadToken })
    const [first] = (await sdk.upload(upload.id)).files
    const { page } = await visit(browser, own.url)
    await withoutEvents(page)
    await page.goto(sdk.pageURL(upload, { fileID: first?.id ?? '' }))
    await opened(page)
    await page.waitForLoadState('networkidle')
    expect((await loaded(page)).filter((name) => name !== '1.png')).toEqual([])
  } finally {
    await own.stop()
  }
})

test('large images do not load ahead', async () => {
  const { linkTo } = await imagesOf({}, [10_000_000, size, 9_999_999])
  const { page } = await visit(browser, server.url)
  await shown(page, linkTo(1))
  await expect.poll(async () => (await loaded(page)).toSorted()).toEqual(['2.png', '3.png'])
})

test('nothing loads ahead for visitors who save data', async () => {
  const { linkTo } = await imagesOf()
  const { page } = await visit(browser, server.url)
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } })
  })
  await shown(page, linkTo(1))
  expect(await loaded(page)).toEqual(['2.png'])
})
