import { createClient } from '@svc/sdk'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { blackPicture } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
/** The page with the first of two images of 2000 × 2000 pixels. */
let address: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  const content = new Blob([blackPicture(2000)])
  const { id: fileID } = await sdk.addFile(upload.id, content, { fileName: 'map.png', uploadToken })
  await sdk.addFile(upload.id, content, { fileName: 'plan.png', uploadToken })
  address = sdk.pageURL(upload, { fileID })
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const frame = (page: Page) => page.getByRole('region', { name: 'map.png', exact: true })
const shown = (page: Page) => page.locator('.viewer .zoom')
const imageWidth = async (page: Page) => (await page.locator('.viewer img').boundingBox())?.width
const place = (page: Page) =>
  frame(page).evaluate(
    ({ scrollLeft, scrollTop }) => [Math.round(scrollLeft), Math.round(scrollTop)] as const,
  )

async function open(options: BrowserContextOptions = {}) {
  const visitor = await visit(browser, server.url, options)
  await visitor.page.goto(address)
  await shown(visitor.page).getByText('20%').waitFor()
  return visitor
}
const middleOf = async (page: Page) => {
  const { x, y, width, height } = (await frame(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { x: x + width / 2, y: y + height / 2 }
}

test('buttons and keys zoom an image to 400 % in steps, which screen readers announce', async () => {
  const { page, pageErrors } = await open()
  const zoomIn = page.getByRole('button', { name: 'Zoom in' })
  for (const step of ['25%', '50%', '75%', '100%', '150%']) {
    await zoomIn.click()
    await shown(page).getByText(step, { exact: true }).waitFor()
    await page.getByTestId('announcer').getByText(step, { exact: true }).waitFor()
  }
  for (const step of ['200%', '300%', '400%', '400%']) {
    await page.keyboard.press('+')
    await shown(page).getByText(step, { exact: true }).waitFor()
  }
  expect(await imageWidth(page)).toBe(8000)
  await expect.poll(() => zoomIn.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('-')
  await shown(page).getByText('300%', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Show map.png at full size', pressed: true }).click()
  await shown(page).getByText('20%').waitFor()
  expect(pageErrors).toEqual([])
})

test('a click zooms in, a double click changes between the whole image and its full size, and a drag moves it', async () => {
  const { page, pageErrors } = await open()
  await frame(page).click()
  await shown(page).getByText('25%', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await frame(page).dblclick()
  await shown(page).getByText('100%', { exact: true }).waitFor()
  const before = await place(page)
  const { x, y } = await middleOf(page)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 60, y - 40)
  await page.mouse.up()
  expect(await place(page)).toEqual([before[0] + 60, before[1] + 40])
  await shown(page).getByText('100%', { exact: true }).waitFor()
  // The button was released where the page did not notice it.
  const released = await place(page)
  await page.mouse.down()
  await frame(page).evaluate(
    (box, [clientX, clientY]) => {
      const move = { pointerType: 'mouse', pointerId: 1, buttons: 0, clientX, clientY }
      box.dispatchEvent(new PointerEvent('pointermove', move))
    },
    [x, y] as const,
  )
  expect(await place(page)).toEqual(released)
  await page.mouse.up()
  await shown(page).getByText('150%', { exact: true }).waitFor()
  await frame(page).dblclick()
  await shown(page).getByText('20%').waitFor()
  expect(pageErrors).toEqual([])
})

test('the wheel with Ctrl zooms at the pointer', async () => {
  const { page, pageErrors } = await open()
  await frame(page).dblclick()
  await shown(page).getByText('100%', { exact: true }).waitFor()
  const before = await place(page)
  const { x, y } = await middleOf(page)
  const box = (await frame(page).boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(x, y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -100)
  await page.keyboard.up('Control')
  await shown(page).getByText('128%', { exact: true }).waitFor()
  const ratio = Math.exp(0.25)
  const after = await place(page)
  const expected = [
    (before[0] + x - box.x) * ratio - (x - box.x),
    (before[1] + y - box.y) * ratio - (y - box.y),
  ]
  expect(before[0]).toBeGreaterThan(0)
  expect(Math.abs(after[0] - (expected[0] ?? 0))).toBeLessThan(3)
  expect(Math.abs(after[1] - (expected[1] ?? 0))).toBeLessThan(3)
  expect(pageErrors).toEqual([])
})

test('arrow keys move an enlarged image, and lead to the next file from its edge', async () => {
  const { page, pageErrors } = await open()
  await frame(page).dblclick()
  await shown(page).getByText('100%', { exact: true }).waitFor()
  const before = await place(page)
  await page.keyboard.press('ArrowRight')
  expect((await place(page))[0]).toBe(before[0] + 80)
  await frame(page).evaluate((box) => {
    box.scrollLeft = box.scrollWidth
  })
  await page.keyboard.press('ArrowRight')
  await page.getByRole('region', { name: 'plan.png', exact: true }).waitFor()
  expect(pageErrors).toEqual([])
})

test('two fingers zoom the image', async () => {
  const { page, context, pageErrors } = await open({ hasTouch: true })
  const { x, y } = await middleOf(page)
  const devtools = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', distance: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        { x: x - distance, y, id: 0 },
        { x: x + distance, y, id: 1 },
      ],
    })
  await touch('touchStart', 20)
  for (const distance of [30, 60, 100]) await touch('touchMove', distance)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await shown(page).getByText('98%', { exact: true }).waitFor()
  expect(await page.evaluate(() => visualViewport?.scale)).toBe(1)
  expect(pageErrors).toEqual([])
})

test('an enlarged image fits on phones and desktops', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await open()
  const checker = pageChecker(page, 'viewer-zoom')
  await checker.checkViews('whole')
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await checker.checkViews('enlarged')
  expect([...checker.problems, ...pageErrors]).toEqual([])
})
