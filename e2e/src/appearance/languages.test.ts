import { createClient } from '@svc/sdk'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { files, opened } from '../support/page-actions.ts'
import { picture } from '../support/samples/media.ts'
import { overflow, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const locales = path.join(import.meta.dirname, '../../../webapp/src/locales')
const languages = (await readdir(locales))
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.parse(file).name)
const rightToLeft = ['ar', 'he']

let server: StartedServer
let browser: Browser
let received: string
let own: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ FEATURE_EXTEND_TTL: 'enabled' }), launch()])
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ comments: 'A note', removable: true })
  const { uploadToken } = upload
  for (const fileName of ['photo.png', 'תמונה ארוכה מאוד של הנמל והעיר העתיקה.png', 'notes.txt'])
    await sdk.addFile(upload.id, new Blob([fileName.endsWith('png') ? picture : 'x']), {
      fileName,
      uploadToken,
    })
  received = sdk.pageURL(upload)
  own = sdk.pageURL(upload, uploadToken === undefined ? {} : { uploadToken })
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('long dates have the format of the region', async () => {
  const { page } = await visit(browser, server.url, { locale: 'en-GB' })
  await page.goto(received)
  await opened(page)
  const long = await page.locator('time[title]').first().getAttribute('title')
  expect(long).toMatch(/^\w+day,? \d{1,2} \w+ \d{4} at \d\d:\d\d$/)
})

/** Elements that are wider than their place, cut off or beyond the window, after what observes sizes has reacted to a new one. */
async function overflowing(page: Page): Promise<string[]> {
  await overflow(page)
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const cut = [
      ...document.querySelectorAll('button, .button, h1, h2, label, legend, .badge, .choice span'),
    ].filter(
      (element) =>
        element instanceof HTMLElement &&
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 1,
    )
    const found = cut
      .filter(
        (element) =>
          getComputedStyle(element).overflowX === 'visible' && getComputedStyle(element).display !== 'inline',
      )
      .map((element) => `${element.className}: ${element.textContent}`)
    return scrollWidth > clientWidth
      ? [`the page: ${String(scrollWidth)} of ${String(clientWidth)}`, ...found]
      : found
  })
}

test.for(languages)(
  'five screens fit a phone and a desktop in %s',
  { timeout: screenshotTimeout },
  async (language) => {
    const { page, context, pageErrors } = await visit(browser, server.url, { locale: language })
    const problems: string[] = []
    const check = async (screen: string) => {
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        problems.push(...(await overflowing(page)).map((problem) => `${screen} ${String(width)}: ${problem}`))
        await screenshot(page, `language-${language}-${screen}-${String(width)}`)
      }
      if (rightToLeft.includes(language))
        problems.push(...(await violations(page)).map((violation) => `${screen}: ${violation}`))
    }
    const open = async (address: string) => {
      await page.goto('about:blank')
      await page.goto(address)
      await opened(page)
    }
    await open(`${server.url}/`)
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
      language,
      rightToLeft.includes(language) ? 'rtl' : 'ltr',
    ])
    await page.setInputFiles(files, [
      { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(picture) },
      { name: 'second.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
    ])
    await page.locator('.send').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('.options .disclosure').click()
    await page.getByRole('switch').nth(3).waitFor()
    await check('1-chosen')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.locator('.options-button').click()
    await page.locator('.choice').first().waitFor()
    problems.push(...(await overflowing(page)).map((problem) => `options 360: ${problem}`))
    await page.locator('.options-button').click()
    await page.locator('.send .primary').click()
    await page.locator('.share').waitFor()
    await check('2-sent')
    await open(received)
    await check('3-received')
    for (const width of [320, 1100, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await overflow(page)
      const box = await page.locator('.all .button').boundingBox()
      if ((box?.height ?? 0) > 53) problems.push(`${String(width)}: “Download all” has several lines`)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.locator('a.see').first().click()
    await page.locator('.viewer img').waitFor()
    await check('4-viewer')
    await open(own)
    await page.locator('.adding').waitFor()
    await check('5-own')
    expect([...problems, ...pageErrors]).toEqual([])
    await context.close()
  },
)

test('a part of the page that loads while the language changes has its words in the new language', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(server.url)
  await opened(page)
  const shown = Promise.withResolvers<undefined>()
  await page.route(/\/assets\/de-/, async (route) => {
    await shown.promise
    await route.continue()
  })
  const requested = page.waitForRequest(/\/assets\/de-/)
  await page.getByLabel('Language').selectOption('de')
  await requested
  await page.setInputFiles(files, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await page.getByText('Up to 1,000 files per link').waitFor()
  shown.resolve(undefined)
  await page.getByText('Bis zu 1.000 Dateien pro Link').waitFor()
  expect(pageErrors).toEqual([])
})

test('a note in another direction than the page stands where the lines of the page begin', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ comments: 'Three days in **Rome**.' })
  await sdk.addFile(upload.id, new Blob(['x']), { fileName: 'x', uploadToken: upload.uploadToken })
  const { page, pageErrors } = await visit(browser, server.url, { locale: 'ar' })
  await page.goto(sdk.pageURL(upload))
  const note = page.getByTestId('comments')
  await note.waitFor()
  const { border, distance } = await note.evaluate((section) => {
    const words = document.createRange()
    words.selectNodeContents(section.querySelector('p') ?? section)
    const end = section.getBoundingClientRect().right
    return {
      border: getComputedStyle(section).borderRightWidth,
      distance: end - words.getBoundingClientRect().right,
    }
  })
  expect(border).toBe('3px')
  // The border and the padding.
  expect(distance).toBeCloseTo(19, 0)
  expect(pageErrors).toEqual([])
})
