import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, visit } from '../support/browser.ts'
import {
  choose,
  chooseExpiry,
  downloaded,
  flip,
  openOptions,
  opened,
  pick,
  send,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const picked = ['a.txt', 'trip/b.jpg', 'bad\u202ename'].map((name) => ({ name, bytes: Buffer.from(name) }))

describe.for(['light', 'dark'] as const)('axe finds nothing, in %s colours,', (colorScheme) => {
  const open = async () => (await visit(browser, server.url, { colorScheme })).page

  test('while files are chosen, uploaded and shared', async () => {
    const page = await open()
    const found: Record<string, readonly string[]> = {}
    const check = async (state: string) => {
      found[state] = await violations(page)
    }
    await page.goto(`${server.url}/`)
    await opened(page)
    await check('start')
    await choose(page, server.url, picked)
    await check('chosen')
    await page.getByRole('button', { name: 'Rename a.txt' }).click()
    await check('renaming')
    await page.keyboard.press('Escape')
    await openOptions(page)
    for (const option of ['One-time download', 'Password protection', 'Add note']) await flip(page, option)
    await chooseExpiry(page, 'Custom…')
    await check('options')
    await page.getByLabel('Password', { exact: true }).fill('hush')
    await page.route(/\/tus\//, (route) =>
      route.fulfill({ status: 507, json: { code: 'no_space', message: 'full' } }),
    )
    await sendButton(page).click()
    await page.getByRole('heading', { name: 'Nothing was uploaded' }).waitFor()
    await check('failed')
    await page.unroute(/\/tus\//)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
    await page.getByRole('button', { name: 'Link to manage this upload', expanded: false }).click()
    await check('shared')
    await page.getByRole('button', { name: 'QR code: Share this link' }).click()
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    await check('qr code')
    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((state) => [state, []])))
    expect(Object.keys(found)).toHaveLength(7)
  })

  test('while files are in transfer', async () => {
    const page = await open()
    await page.route(/\/tus\//, () => undefined)
    await choose(page, server.url, picked)
    await sendButton(page).click()
    await page.getByRole('progressbar', { name: 'All files' }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('on the page of an upload, its dialogs and its errors', async () => {
    const sdk = createClient({ baseURL: server.url })
    const upload = await sdk.createUpload({
      oneShot: true,
      removable: true,
      password: 'hush',
      comments: '# Note\n\n[link](https://example.org) and `code`\n\n> quoted',
      files: [{ fileName: 'missing.txt' }],
    })
    const access = { uploadToken: upload.uploadToken }
    for (const fileName of ['a.txt', 'b.txt', 'gone.txt']) {
      const file = await sdk.addFile(upload.id, new Blob([fileName]), { fileName, ...access })
      if (fileName === 'gone.txt') await sdk.removeFile(upload.id, file, access)
    }
    const page = await open()
    const found: Record<string, readonly string[]> = {}
    const check = async (state: string) => {
      found[state] = await violations(page)
    }
    await page.goto(sdk.pageURL(upload))
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'I also have a username', expanded: false }).click()
    await check('password')
    await page.getByLabel('Password').fill('hush')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByTestId('comments').waitFor()
    await check('upload')
    await page.getByRole('link', { name: 'Download a.txt' }).click()
    await page.getByRole('dialog').waitFor()
    await check('dialog')
    await page.goto('about:blank')
    await page.goto(`${server.url}/#/?id=0000000000000000`)
    await page.getByRole('heading', { name: 'No longer available' }).waitFor()
    await check('gone')
    expect(found).toEqual({ password: [], upload: [], dialog: [], gone: [] })
  })
})

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab')
    const label = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? (element as HTMLElement | null)?.innerText ?? ''
    })
    if (typeof name === 'string' ? label.trim() === name : name.test(label)) return
  }
  throw new Error(`Tab does not lead to ${String(name)}`)
}

/** Whether the focused element is drawn with an outline. */
const focusIsVisible = (page: Page) =>
  page.evaluate(
    () => document.activeElement !== null && getComputedStyle(document.activeElement).outlineStyle !== 'none',
  )

test('the keyboard alone is enough to upload, share and download a file', async () => {
  const { page, context } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // Awaited from the start: only then does the browser pass the window instead of opening it.
  const chooser = page.waitForEvent('filechooser')
  await page.goto(`${server.url}/`)
  await opened(page)
  await tabTo(page, 'Choose files')
  expect(await focusIsVisible(page)).toBe(true)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles([{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('by keys') }])
  await page.getByRole('button', { name: 'Rename a.txt' }).waitFor()
  await tabTo(page, 'Rename a.txt')
  await page.keyboard.press('Enter')
  await page.keyboard.type('keys')
  await page.keyboard.press('Enter')
  await page.getByText('keys.txt', { exact: true }).waitFor()
  await tabTo(page, /^Options/)
  await page.keyboard.press('Space')
  await page.getByRole('switch', { name: 'One-time download' }).waitFor()
  const oneShot = page.getByRole('switch', { name: 'One-time download' })
  await oneShot.focus()
  await page.keyboard.press('Space')
  await expect.poll(() => oneShot.isChecked()).toBe(true)
  expect(await focusIsVisible(page)).toBe(true)
  await tabTo(page, /^Upload 1 file/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  // The new state has the focus, so that the next Tab continues there.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Ready to share')
  await tabTo(page, 'Copy link')
  await page.keyboard.press('Enter')
  await page.getByText('Link copied.').waitFor({ state: 'attached' })
  const link = await shareLink(page)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: 'A file for you' }).waitFor()
  await tabTo(page, 'Download')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  // A dialog traps the focus, and restores it.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  const got = await downloaded(page, async () => {
    await tabTo(page, 'Download now')
    await page.keyboard.press('Enter')
  })
  expect(got.bytes.toString()).toBe('by keys')
})

test('changes are announced to screen readers', async () => {
  const { page } = await visit(browser, server.url)
  const announcer = page.getByTestId('announcer')
  await page.goto(`${server.url}/`)
  await opened(page)
  await pick(page, [{ name: 'a', bytes: Buffer.from('a') }])
  await expect.poll(() => announcer.textContent(), { timeout: 90_000 }).toBe('1 file selected')
  await send(page)
  await expect.poll(() => announcer.textContent(), { timeout: 90_000 }).toBe('Ready to share')
  await expect.poll(() => announcer.getAttribute('aria-live')).toBe('polite')
})
