import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { listedNames, opened, pick, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
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
const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
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
  expect(
    await page.locator('header img').evaluate((image) => (image as HTMLImageElement).naturalWidth),
  ).toBeGreaterThan(0)
  expect({
    paper: await paper(page),
    accent: await page
      .getByRole('button', { name: 'Dateien auswählen' })
      .evaluate((button) => getComputedStyle(button).backgroundColor),
    themes: await choices(page, 'Design'),
    languages: await choices(page, 'Sprache'),
    picture: await page.evaluate(() =>
      getComputedStyle(document.documentElement, '::before').backgroundImage.includes('favicon.svg'),
    ),
  }).toEqual({
    paper: 'rgb(200, 220, 240)',
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
  expect(await paper(page)).toBe('rgb(232, 246, 254)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => paper(page), { timeout: 90_000 }).not.toBe('rgb(232, 246, 254)')
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

test('text is written in an editor, named, and uploaded, together with unsaved text', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  await open(page)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByLabel('File name').fill('notes.json')
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('{"a": 1')
  await page.getByTestId('editor').locator('.cm-line span').first().waitFor()
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'editor-light-390')
  await page.getByRole('button', { name: 'Add to list' }).click()
  await pick(page, [
    { name: 'same.txt', bytes: Buffer.from('one') },
    { name: 'sub.txt', bytes: Buffer.from('two') },
  ])
  await page.getByRole('button', { name: 'Rename sub.txt' }).click()
  await page.getByLabel('New name').fill('same.txt')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByText('Another file in the list has this name').count()).toBe(2)

  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('still here')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await listedNames(page)).toEqual(['notes.json', 'same.txt', 'same.txt'])
  const link = await send(page)
  const id = new URLSearchParams(link.split('#/?')[1]).get('id') ?? ''
  const upload = await createClient({ baseURL: server.url }).upload(id)
  expect(upload.files.map(({ fileName }) => fileName).toSorted()).toEqual([
    'notes.json',
    'same.txt',
    'same.txt',
    'text.txt',
  ])
  expect(pageErrors).toEqual([])
})

test('the installed application opens offline, receives shared files, and keeps none of them', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await open(page)
  const manifest = (await (await fetch(`${server.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string }[]
    share_target: { action: string }
  }
  for (const { src } of manifest.icons) expect((await fetch(`${server.url}/${src}`)).status).toBe(200)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./shell-worker.js')
    await navigator.serviceWorker.ready
  })
  await page.reload()
  await opened(page)
  // As a phone does: the worker responds to the form.
  await page.evaluate((action) => {
    const form = document.createElement('form')
    Object.assign(form, { method: 'post', enctype: 'multipart/form-data', action })
    const field = document.createElement('input')
    Object.assign(field, { type: 'file', name: 'file' })
    const given = new DataTransfer()
    given.items.add(new File(['shared'], 'shared.txt'))
    field.files = given.files
    form.append(field)
    document.body.append(form)
    form.submit()
  }, manifest.share_target.action)
  await page.getByText('shared.txt').waitFor()
  const kept = await page.evaluate(async () => {
    const requests = await (await caches.open('svc-shell')).keys()
    return requests.map(({ url }) => new URL(url).pathname)
  })
  expect(kept.filter((path) => !/^\/(?:|settings\.json|favicon\.svg|assets\/.*)$/.test(path))).toEqual([])
  expect(kept).toContain('/')
  await context.setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await checkState(page, 'installed-offline')
  expect(pageErrors).toEqual([])
})

test('the installed application opens when its storage is full', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await open(page)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('./shell-worker.js')
    await navigator.serviceWorker.ready
  })
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: 1 })
  await page.reload()
  await opened(page)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await page.goto(`${server.url}/#/sent`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(pageErrors).toEqual([])
})

test('HTML and scripts enter the page only through their policies', async () => {
  const { page } = await visit(browser, server.url)
  await open(page)
  const outcomes = await page.evaluate(() => {
    const attempt = (act: () => void) => {
      try {
        act()
        return 'taken'
      } catch (error) {
        return error instanceof Error ? error.name : 'unknown'
      }
    }
    return [
      attempt(() => (document.createElement('div').innerHTML = '<b>x</b>')),
      attempt(() => (document.createElement('script').src = 'https://elsewhere.example/x.js')),
      attempt(() => (document.createElement('script').src = './own.js')),
    ]
  })
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'taken'])
})
