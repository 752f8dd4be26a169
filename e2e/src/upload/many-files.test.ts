import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { files, flip, opened, sendButton } from '../support/page-actions.ts'
import { expectFocus, overflow } from '../support/page-checks.ts'
import { clickInDialog } from '../support/uploads.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const count = 2000

/** Chooses many files at once, without reading them from a disk. */
const chooseMany = (page: Page) =>
  page.locator(files).evaluate((input: HTMLInputElement, total) => {
    const chosen = new DataTransfer()
    for (let index = 0; index < total; index += 1)
      chosen.items.add(new File(['x'.repeat(1000)], `photo ${String(index)}.jpg`))
    input.files = chosen.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }, count)

const rows = (page: Page) => page.getByRole('region', { name: 'Files' }).getByRole('listitem')
const isInView = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).evaluate((button) => {
    const { top, bottom } = button.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

/** The page of a new upload, with all files chosen. */
async function pageOfMany(width: number, locale = 'en-GB'): Promise<Page> {
  const { page, pageErrors } = await visit(browser, server.url, { locale, viewport: { width, height: 850 } })
  onTestFinished(() => {
    expect(pageErrors).toEqual([])
  })
  await page.goto(`${server.url}/`)
  await opened(page)
  await chooseMany(page)
  return page
}

const upload = 'Upload 1,000 files, 1 MB'

test.for([390, 820, 1440])('with 2,000 files and a width of %i, the bar is in view', async (width) => {
  const page = await pageOfMany(width)
  await sendButton(page).getByText(upload).waitFor()
  await page.getByText('1,000 files left out: up to 1,000 per link').waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  for (const place of [0, 20_000, 1_000_000]) {
    await page.evaluate((top) => scrollTo(0, top), place)
    await expect.poll(() => isInView(page, upload)).toBe(true)
    expect(await isInView(page, 'Remove all')).toBe(true)
    // Beside the files, the options themselves are in view.
    if (width < 1100) expect(await isInView(page, /^Options ?30 days$/)).toBe(true)
    await expect.poll(() => rows(page).count()).toBeGreaterThan(5)
  }
  await page.getByText('photo 1999.jpg').waitFor()
  await screenshot(page, `many-files-${String(width)}`)
  await page.evaluate(() => scrollTo(0, 0))
  await page.getByText('photo 0.jpg').waitFor()
  if (width === 390) expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Remove all' }).click()
  await clickInDialog(page, 'Remove all')
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  expect(await rows(page).count()).toBe(0)
})

test.for([390, 1440])(
  'with 2,000 files and a width of %i, the keyboard has three stops from the list to the end of the bar',
  async (width) => {
    const page = await pageOfMany(width)
    await page.getByRole('link', { name: 'Skip the list' }).waitFor({ state: 'attached' })
    await sendButton(page).waitFor()
    await page.getByRole('button', { name: 'Write text' }).focus()
    await page.keyboard.press('Tab')
    await expectFocus(page.getByRole('link', { name: 'Skip the list' }))
    await page.keyboard.press('Enter')
    await expectFocus(sendButton(page))
    await page.keyboard.press('Tab')
    await expectFocus(page.getByRole('button', { name: 'Remove all' }))
  },
)

test('with 2,000 files on a phone, the bar leads to the options, also while they prevent the upload', async () => {
  const page = await pageOfMany(390)
  const button = page.getByRole('button', { name: /^Options/ })
  await button.focus()
  await page.keyboard.press('Enter')
  const options = page.getByRole('region', { name: 'Options' })
  await expectFocus(options)
  await options.getByRole('group', { name: 'Expires in' }).waitFor()
  const distance = () => options.evaluate((element) => element.getBoundingClientRect().top)
  await expect.poll(distance).toBeLessThan(100)
  expect(await distance()).toBeGreaterThanOrEqual(0)
  await flip(page, 'Password protection')
  await button.getByText('30 days · password').waitFor()
  await page.getByRole('link', { name: 'Skip the list' }).focus()
  await page.keyboard.press('Enter')
  await expectFocus(button)
  await page.keyboard.press('Enter')
  await options.waitFor({ state: 'hidden' })
})

test.for(['en', 'de', 'ar'])(
  'in %s, the bar takes at most a quarter of a phone, with all options and no overflow',
  async (locale) => {
    const page = await pageOfMany(390, locale)
    await page.locator('.options-button').click()
    await page.getByRole('switch').first().waitFor()
    await page.locator('.disclosure').click()
    for (const name of await page.getByRole('switch').all()) if (!(await name.isChecked())) await name.click()
    const bar = page.locator('.send')
    await expect
      .poll(() => bar.evaluate((element) => element.clientHeight / innerHeight))
      .toBeLessThanOrEqual(0.25)
    expect(await overflow(page)).toBe(0)
  },
)

test('removing a row in the middle of a long list by keyboard moves the focus to the next one', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await opened(page)
  await chooseMany(page)
  await page.getByText('photo 0.jpg').waitFor()
  await page.evaluate(() => scrollTo(0, 40_000))
  // One in the middle of the window: a layout shift would take a row at the edge out of the page, and the focus with it.
  const button = page.getByRole('button', { name: /^Remove photo [56]\d\d\.jpg from the list$/ }).nth(12)
  const name = await button.evaluate((element: HTMLElement) => {
    element.focus()
    return element.getAttribute('aria-label') ?? ''
  })
  const place = Number(/\d+/.exec(name)?.[0])
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toBe(`Remove photo ${String(place + 1)}.jpg from the list`)
  expect(pageErrors).toEqual([])
})
