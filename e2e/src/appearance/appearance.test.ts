import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { opened, pick } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A visitor of a server with these settings. */
async function visitWith(settings: string, options: Parameters<typeof visit>[2] = {}) {
  const visitor = await visit(browser, server.url, options)
  const { page } = visitor
  const warnings: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text())
  })
  await page.route(/\/settings\.json$/, (route) => route.fulfill({ body: settings }))
  return { ...visitor, warnings }
}

const open = async (page: Page) => {
  await page.goto(`${server.url}/`)
  await opened(page)
}
const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const choices = (page: Page, label: string) =>
  page
    .getByLabel(label)
    .locator('option')
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))

test('an operator can add a logo, a background, a style and a script', async () => {
  const { page, pageErrors, warnings } = await visitWith(
    `{ "logo": "favicon.svg", // ours, at another place
       "backgroundColor": "rgb(200, 220, 240)", "backgroundImage": "favicon.svg", "overlayOpacity": 0.5,
       "customCSS": "own/style.css", "customJS": "own/script.js",
       "themes": ["sand", "mine"], "theme": "mine", "languages": ["de"], "colour": "red", "name": 5 }`,
  )
  await page.route(/\/own\/style\.css$/, (route) =>
    route.fulfill({ contentType: 'text/css', body: ":root[data-theme='mine'] { --accent: rgb(90, 0, 90) }" }),
  )
  await page.route(/\/own\/script\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: "document.body.dataset.own = 'ran'" }),
  )
  await open(page)
  await page.waitForFunction(() => document.body.dataset['own'] === 'ran')
  await page.getByRole('heading', { name: 'Dateien per Link senden' }).waitFor()
  // The picture and the style may arrive after the script.
  await expect
    .poll(() => page.locator('header img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0)
  const looks = async () => ({
    background: await background(page),
    accent: await page
      .getByRole('button', { name: 'Dateien auswählen' })
      .evaluate((button) => getComputedStyle(button).backgroundColor),
    themes: await choices(page, 'Design'),
    languages: await choices(page, 'Sprache'),
    picture: await page.evaluate(() =>
      getComputedStyle(document.documentElement, '::before').backgroundImage.includes('favicon.svg'),
    ),
  })
  await expect.poll(looks).toEqual({
    background: 'rgb(200, 220, 240)',
    accent: 'rgb(90, 0, 90)',
    themes: ['auto', 'sand', 'mine'],
    languages: ['de'],
    picture: true,
  })
  expect(warnings.filter((warning) => warning.startsWith('settings.json'))).toEqual([
    'settings.json: “colour” is unknown',
    'settings.json: “name” has to be a text',
  ])
  expect(pageErrors).toEqual([])
})

test('light and dark mode have the configured themes, and follow the system', async () => {
  const { page, pageErrors } = await visitWith('{ "defaultLightTheme": "sky", "defaultDarkTheme": "plum" }', {
    colorScheme: 'light',
  })
  await open(page)
  expect(await background(page)).toBe('rgb(232, 246, 254)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => background(page), { timeout: 90_000 }).not.toBe('rgb(232, 246, 254)')
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('plum')
  expect(pageErrors).toEqual([])
})

test('invalid settings leave a working page, with an error in the console', async () => {
  const { page, warnings } = await visitWith('{ "name": ')
  await open(page)
  expect(warnings.filter((warning) => warning.startsWith('settings.json'))).toHaveLength(1)
})

describe('a guest chooses a theme, which stays', () => {
  test.for(['sand', 'midnight', 'contrast'])('%s', async (theme) => {
    const { page, context, pageErrors } = await visit(browser, server.url, {
      viewport: { width: 820, height: 900 },
    })
    await open(page)
    await page.getByLabel('Theme').selectOption(theme)
    await page.reload()
    await opened(page)
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
    await pick(page, [{ name: 'a.txt', bytes: Buffer.from('a') }])
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('switch').first().waitFor()
    expect(await violations(page)).toEqual([])
    await screenshot(page, `theme-${theme}`)
    expect(pageErrors).toEqual([])
    await context.close()
  })
})
