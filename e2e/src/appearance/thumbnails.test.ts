import { createClient } from '@svc/sdk'
import type { UploadOptions } from '@svc/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { encrypted } from '../support/encryption/age.ts'
import { film } from '../support/samples/film.ts'
import { animation, blackPicture, picture } from '../support/samples/media.ts'
import { files, opened, send, sendButton, withoutEvents } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ FEATURE_EXTEND_TTL: 'enabled' }), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

interface Picked {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

const image = (name: string, bytes: Uint8Array, mimeType = 'image/png'): Picked => ({
  name,
  mimeType,
  buffer: Buffer.from(bytes),
})

/** The row of a file. */
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
/** Pixels of a file's thumbnail; undefined without one. */
const thumbnail = (page: Page, name: string) =>
  row(page, name)
    .locator('.thumbnail img')
    .evaluateAll(([found]) => (found instanceof HTMLImageElement ? found.naturalWidth : undefined))

test('chosen images and videos have a picture, and files that cannot be decoded an icon', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.setInputFiles(files, [
    image('photo.png', picture),
    { name: 'film.webm', mimeType: 'video/webm', buffer: await film(page) },
    image('empty.png', new Uint8Array()),
    image('broken.png', picture.slice(0, 60)),
    image('huge.png', blackPicture(30_000)),
    image('moving.gif', animation, 'image/gif'),
    image('text.jpg', Buffer.from('no image at all'), 'image/jpeg'),
    image('last.png', picture),
  ])
  await sendButton(page).waitFor()
  for (const name of ['photo.png', 'film.webm', 'last.png'])
    await expect.poll(() => thumbnail(page, name), { timeout: 90_000 }).toBe(112)
  // They are drawn in order, so all others have been tried.
  for (const name of ['empty.png', 'broken.png', 'huge.png', 'moving.gif', 'text.jpg'])
    expect([name, await thumbnail(page, name)]).toEqual([name, undefined])
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'thumbnails-chosen')
  await send(page)
  await expect.poll(() => thumbnail(page, 'photo.png')).toBe(112)
  expect(pageErrors).toEqual([])
})

test('of 2,000 chosen images, only those in view have a picture', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.locator(files).evaluate(async (input: HTMLInputElement) => {
    const canvas = new OffscreenCanvas(300, 200)
    canvas.getContext('2d')?.fillRect(0, 0, 300, 200)
    const blob = await canvas.convertToBlob({ type: 'image/png' })
    const chosen = new DataTransfer()
    for (let index = 0; index < 2000; index += 1)
      chosen.items.add(new File([blob], `photo ${String(index)}.png`, { type: 'image/png' }))
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await expect.poll(() => thumbnail(page, 'photo 0.png'), { timeout: 90_000 }).toBe(112)
  await page.evaluate(() => scrollTo(0, 60_000))
  const pictures = page.locator('.thumbnail img')
  const isInView = () =>
    pictures.evaluateAll((all) =>
      all.some((image) => Math.abs(image.getBoundingClientRect().top - 400) < 200),
    )
  await expect.poll(isInView, { timeout: 90_000 }).toBe(true)
  expect(await pictures.count()).toBeLessThan(30)
  expect(pageErrors).toEqual([])
})

test.for([
  ['small images', {}, 2],
  ['one-shot images', { oneShot: true }, 0],
  ['images with a download limit', { maxDownloads: 5 }, 0],
  ['images whose downloads extend their life', { extend_ttl: true }, 0],
  ['encrypted images', { e2ee: 'age' }, 0],
] as const)(
  'of an upload of %s, with %j, the page asks for the file %i times',
  async ([, options, count]: readonly [string, UploadOptions, number]) => {
    const sdk = createClient({ baseURL: server.url })
    const upload = await sdk.createUpload(options)
    const { uploadToken } = upload
    for (const fileName of ['photo.png', 'other.png']) {
      const bytes =
        options.e2ee === undefined
          ? picture
          : new Uint8Array(await encrypted(Buffer.from(picture), 'our secret'))
      await sdk.addFile(upload.id, new Blob([bytes]), { fileName, uploadToken })
    }
    const { page, pageErrors } = await visit(browser, server.url)
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('/file/')) requests += 1
    })
    await withoutEvents(page)
    await page.goto(sdk.pageURL(upload))
    await opened(page)
    await row(page, 'photo.png').waitFor()
    await page.waitForLoadState('networkidle')
    expect(requests).toBe(count)
    expect(pageErrors).toEqual([])
  },
)

test('the only file of an upload is shown large, with its download in the window', async () => {
  const sdk = createClient({ baseURL: server.url })
  const { uploadID } = await sdk.quickUpload(new Blob([picture]), {
    fileName: `${'a long name '.repeat(20)}.png`,
  })
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 700 } })
  await page.goto(`${server.url}/#/?id=${uploadID}`)
  await opened(page)
  await page.locator('.hero .thumbnail img').waitFor()
  const { bottom } = await page
    .getByRole('link', { name: 'Download', exact: true })
    .evaluate((button) => button.getBoundingClientRect())
  expect(bottom).toBeLessThanOrEqual(700)
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'hero-long-name-390')
  await page.getByRole('link', { name: 'View', exact: true }).click()
  await page.locator('.viewer img').waitFor()
  expect(pageErrors).toEqual([])
})
