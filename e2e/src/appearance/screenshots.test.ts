import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send } from '../support/page-actions.ts'
import { pageChecker, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const longName = `${'a very long name of a file, as cameras and scanners like them '.repeat(3)}.pdf`
const unbroken = `${'unbroken'.repeat(20)}.bin`
const picked = [longName, unbroken, 'notes.txt'].map((name) => ({ name, bytes: Buffer.from(name) }))

const inColorSchemes = (width: number): readonly View[] => [
  { width, colorScheme: 'light' },
  { width, colorScheme: 'dark' },
]

describe('every page fits the window, and has its colours,', () => {
  test.for([
    { on: 'a phone', touch: true, views: [...inColorSchemes(320), ...inColorSchemes(390)] },
    { on: 'a desktop', touch: false, views: [...inColorSchemes(820), ...inColorSchemes(1440)] },
  ])('on $on', async ({ touch, views }) => {
    const { page, pageErrors } = await visit(browser, server.url, {
      hasTouch: touch,
      isMobile: touch,
    })
    const { checkViews, problems } = pageChecker(page, 'send', views)
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${server.url}/`)
    await opened(page)
    expect(await background()).toBe('rgb(245, 244, 239)')
    await checkViews('1-start')
    await expect.poll(background).toBe('rgb(18, 20, 18)')
    await choose(page, server.url, picked)
    await checkViews('2-chosen')
    await openOptions(page)
    await flip(page, 'Password protection')
    await flip(page, 'Add note')
    await page
      .getByLabel('Note (Markdown supported)')
      .fill('# Rome\n\nAll photos, in `full size`:\n\n- day **one**\n- day two')
    await checkViews('3-options')
    await flip(page, 'Password protection')
    const link = await send(page)
    await checkViews('4-sent')
    await page.goto(link)
    await page.getByTestId('comments').waitFor()
    await checkViews('5-received')
    expect(problems).toEqual([])
    expect(pageErrors).toEqual([])
  })
})

test('the theme can be chosen, and stays', async () => {
  const { page } = await visit(browser, server.url, { colorScheme: 'light' })
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.goto(`${server.url}/`)
  await page.getByLabel('Theme').selectOption('dark')
  await expect.poll(background).toBe('rgb(18, 20, 18)')
  await page.reload()
  await page.getByLabel('Theme').waitFor()
  await expect.poll(background).toBe('rgb(18, 20, 18)')
})

test('the language follows the browser, can be chosen, and stays', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { locale: 'de-AT' })
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'Dateien per Link senden' }).waitFor()
  await page.getByText('Dateien bleiben 30 Tage und werden dann gelöscht.').waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  await screenshot(page, 'german')
  await page.getByLabel('Sprache').selectOption('en')
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('reduced motion disables animations', async () => {
  const { page } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  const longest = await page.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('*')].map((element) =>
        Number.parseFloat(getComputedStyle(element).transitionDuration),
      ),
    ),
  )
  expect(longest).toBeLessThanOrEqual(0.001)
})

test.for(['reduce', 'no-preference'] as const)(
  'the sign of “Ready to share” is animated unless the visitor prefers reduced motion (%s)',
  async (reducedMotion) => {
    const { page } = await visit(browser, server.url, { reducedMotion })
    await choose(page, server.url, picked)
    await send(page)
    const ends = await page.evaluate(() =>
      [...document.querySelectorAll('main *')].flatMap((element) =>
        [undefined, '::before', '::after'].flatMap((part) => {
          const { animationName, animationDuration, animationDelay } = getComputedStyle(element, part)
          return animationName === 'none'
            ? []
            : [Number.parseFloat(animationDuration) + Number.parseFloat(animationDelay)]
        }),
      ),
    )
    // The sign lands, draws its tick, and has a ring of sparks.
    expect(ends.length).toBeGreaterThanOrEqual(3)
    if (reducedMotion === 'reduce') expect(Math.max(...ends)).toBeLessThanOrEqual(0.001)
    else expect(Math.max(...ends)).toBeGreaterThan(0.4)
  },
)

test('everything works below a path prefix', async () => {
  await using cleanup = new AsyncDisposableStack()
  const prefixed = await startServer({ PATH: '/share' })
  cleanup.defer(prefixed.stop)
  const base = prefixed.url.endsWith('/share') ? prefixed.url : `${prefixed.url}/share`
  const { page, pageErrors } = await visit(browser, prefixed.url)
  await choose(page, base, picked)
  const link = await send(page)
  expect(link.startsWith(`${base}/#/?id=`)).toBe(true)
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: '3 files for you' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('the settings define name, colours, language and footer', async () => {
  // Without the policy of the page, so that the sanitizer alone has to hold.
  const { page, pageErrors } = await visit(browser, server.url, { bypassCSP: true })
  let ran = 0
  page.on('dialog', (dialog) => {
    ran += 1
    void dialog.dismiss()
  })
  await page.route(/settings\.json$/, (route) =>
    route.fulfill({
      body: `{ // of this place
        "name": "Files & <b>more</b>", "theme": "dark", "language": "de", "unknown": 1,
        "footer": "<p>Run by <a href='https://example.org'>us</a><img src=x onerror=alert(1)></p><script>alert(2)</script>" }`,
    }),
  )
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'Dateien per Link senden' }).waitFor()
  await page.getByText('Files & <b>more</b>').waitFor()
  await page.getByRole('link', { name: 'us' }).waitFor()
  expect({
    title: await page.title(),
    theme: await page.evaluate(() => document.documentElement.dataset['theme']),
    foot: await page.locator('footer p').innerHTML(),
  }).toEqual({
    title: 'Dateien per Link senden · Files & <b>more</b>',
    theme: 'dark',
    foot: 'Run by <a href="https://example.org" rel="noopener noreferrer nofollow ugc" target="_blank">us</a>',
  })
  expect(ran).toBe(0)
  expect(pageErrors).toEqual([])
})

test('without scripts the page explains what to do', async () => {
  const { page } = await visit(browser, server.url, { javaScriptEnabled: false })
  await page.goto(`${server.url}/`)
  await expect.poll(() => page.locator('noscript').textContent()).toContain('curl -F file=@FILE')
  // Axe is a script, and waits for others.
  await screenshot(page, 'no-scripts')
})

test('names of any writing direction are shown unchanged', async () => {
  const sdk = createClient({ baseURL: server.url })
  const names = ['שלום.txt', 'تقرير (نهائي) 2.pdf', 'ファイル.zip', '🎉👩‍👩‍👧.png', 'a\u0301e\u0308.txt']
  const upload = await sdk.createUpload({ files: names.map((fileName) => ({ fileName })) })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  await expect.poll(() => page.locator('bdi.file-name').allTextContents()).toEqual(names)
  await screenshot(page, 'directions')
})
