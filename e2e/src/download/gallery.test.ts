import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { film } from '../support/samples/film.ts'
import { picture } from '../support/samples/media.ts'
import { opened } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const names = ['first.png', 'second.png', `${'third of many pictures '.repeat(9)}.png`]

/** The page of an upload with these files. */
async function pageOf(fileNames: readonly string[] = names): Promise<string> {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  for (const fileName of fileNames)
    await sdk.addFile(upload.id, new Blob([picture]), { fileName, uploadToken })
  return sdk.pageURL(upload)
}

const place = (page: Page, words: string) =>
  page.getByRole('navigation', { name: 'Other files' }).getByText(words).waitFor()

/** Moves a finger over the shown file, as a phone reports it. */
const swipe = (page: Page, { by, across = true }: { readonly by: number; readonly across?: boolean }) =>
  page.locator('.viewer').evaluate(
    (viewer, [x, y]) => {
      const touch = (clientX: number, clientY: number) =>
        new Touch({ identifier: 1, target: viewer, clientX, clientY })
      const [from, to] = [touch(200, 300), touch(200 + x, 300 + y)]
      viewer.dispatchEvent(
        new TouchEvent('touchstart', { bubbles: true, touches: [from], changedTouches: [from] }),
      )
      viewer.dispatchEvent(new TouchEvent('touchend', { bubbles: true, touches: [], changedTouches: [to] }))
    },
    across ? ([by, 0] as const) : ([0, by] as const),
  )

test.for([
  ['en', -1],
  ['ar', 1],
] as const)('in %s, a swipe shows the next file, and back leads to the list', async ([locale, forward]) => {
  const { page, pageErrors } = await visit(browser, server.url, {
    hasTouch: true,
    isMobile: true,
    locale,
    viewport: { width: 390, height: 844 },
  })
  const position = (shown: number) =>
    page
      .locator('.file-navigation .place')
      .getByText(new RegExp(`${String(shown)}.*3`))
      .waitFor()
  await page.goto(await pageOf())
  await opened(page)
  await page.locator('a.see').first().tap()
  await position(1)
  await page.locator('.viewer img').waitFor()
  await swipe(page, { by: 120 * forward })
  await position(2)
  await swipe(page, { by: 300, across: false })
  await swipe(page, { by: 30 * forward })
  await swipe(page, { by: -120 * forward })
  await position(1)
  // There is no file before the first one.
  await swipe(page, { by: -120 * forward })
  await position(1)
  await page.goBack()
  await page.locator('a.see').nth(2).waitFor()
  expect(pageErrors).toEqual([])
})

test.for(['Escape', 'close button'])(
  '%s leaves the viewer without an entry in the history, and the focus is at the last file',
  async (way) => {
    const { page, pageErrors } = await visit(browser, server.url)
    const leave = () =>
      way === 'Escape'
        ? page.keyboard.press('Escape')
        : page.getByRole('button', { name: 'Back to all files' }).click()
    const entries = () => page.evaluate(() => history.length)
    const focused = (selector: string) =>
      expect
        .poll(() => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector))
        .toBe(true)
    const list = await pageOf()
    await page.goto(list)
    await opened(page)
    await page.locator('a.see').first().focus()
    await page.keyboard.press('Enter')
    await place(page, '1 of 3')
    await focused('.viewer-panel')
    const open = await entries()
    await page.keyboard.press('ArrowRight')
    await place(page, '2 of 3')
    await leave()
    await focused('a.see[aria-label*="second.png"]')
    expect(await entries()).toBe(open)
    expect(page.url()).toBe(list)

    // The link to the file itself: there is no list before it.
    await page.locator('a.see').first().click()
    await place(page, '1 of 3')
    const link = page.url()
    await page.goto('about:blank')
    await page.goto(link)
    await place(page, '1 of 3')
    const before = await entries()
    await leave()
    await focused('a.see[aria-label*="first.png"]')
    expect(await entries()).toBe(before)
    await page.goBack()
    await expect.poll(() => page.url()).toBe('about:blank')
    expect(pageErrors).toEqual([])
  },
)

test('at 1440 × 900, the shown picture and its download are in view', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 1440, height: 900 } })
  await page.goto(await pageOf())
  await opened(page)
  await page.locator('a.see').nth(1).click()
  await place(page, '2 of 3')
  await page.locator('.viewer img').waitFor()
  const button = page.getByRole('link', { name: 'Download', exact: true })
  const { bottom } = await button.evaluate((element) => element.getBoundingClientRect())
  expect(bottom).toBeLessThanOrEqual(900)
  await checkState(page, 'gallery-1440')
  expect(pageErrors).toEqual([])
})

test('at 1440 × 900, the player of a video, its controls and its download are in view', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 1440, height: 900 } })
  await page.goto(server.url)
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  const video = new Blob([await film(page)])
  for (const fileName of ['first.webm', 'second.webm'])
    await sdk.addFile(upload.id, video, { fileName, uploadToken })
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  await page.locator('a.see').first().click()
  await place(page, '1 of 2')
  const player = page.locator('.viewer video')
  await expect
    .poll(() => player.evaluate((element: HTMLVideoElement) => element.videoWidth), { timeout: 90_000 })
    .toBe(320)
  const { top, bottom, controls } = await player.evaluate((element: HTMLVideoElement) => ({
    top: element.getBoundingClientRect().top,
    bottom: element.getBoundingClientRect().bottom,
    controls: element.controls,
  }))
  expect(controls).toBe(true)
  expect(top).toBeGreaterThan(0)
  expect(bottom - top).toBeGreaterThan(400)
  expect(bottom).toBeLessThanOrEqual(900)
  const download = page.getByRole('link', { name: 'Download', exact: true })
  expect(await download.evaluate((element) => element.getBoundingClientRect().bottom)).toBeLessThanOrEqual(
    900,
  )
  await screenshot(page, 'video-1440')
  expect(pageErrors).toEqual([])
})

test('the buttons of a file are large enough for a finger', async () => {
  const { page } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  await page.goto(await pageOf())
  await opened(page)
  const sizes = await page
    .locator('.list-row .actions > *:visible')
    .evaluateAll((all) =>
      all.map((control) => control.getBoundingClientRect()).map(({ width, height }) => [width, height]),
    )
  expect(sizes).toHaveLength(9)
  expect(sizes.flat().every((pixels) => pixels >= 44)).toBe(true)
})

test('a file has a QR code with its whole name, and all links are copied at once', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url, {
    viewport: { width: 390, height: 844 },
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await page.goto(await pageOf())
  await opened(page)
  const long = names[2] ?? ''
  await page.getByRole('button', { name: `QR code of ${long}` }).click()
  const dialog = page.getByRole('dialog', { name: long })
  await dialog.getByRole('img', { name: 'QR code of the link' }).waitFor()
  await checkState(page, 'file-dialog-390')
  await dialog.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(copied).toMatch(/\/file\/.*third%20of%20many/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Copy all links' }).click()
  await expect
    .poll(async () => (await copied()).split('\n').map((link) => link.split('/').at(-1)))
    .toEqual(names.map((name) => encodeURIComponent(name)))
  await page.getByLabel('Short link').check()
  await page.getByRole('button', { name: 'Copy link', exact: true }).click()
  await expect.poll(copied).toMatch(/\/s\/\w+$/)
  const short = await copied()
  await page.goto(short)
  await page.getByRole('heading', { name: '3 files for you' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('long names leave out their middle, and keep their end', async () => {
  const { page } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  await page.goto(await pageOf(['a.png', `${'a'.repeat(220)} 7.png`]))
  await opened(page)
  const heights = await page
    .locator('.list-row')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  // A line separates them.
  expect((heights[1] ?? 0) - (heights[0] ?? 0)).toBeLessThanOrEqual(1)
  await expect.poll(() => page.getByText('aaaaa 7.png').isVisible()).toBe(true)
  await screenshot(page, 'names-390')
})
