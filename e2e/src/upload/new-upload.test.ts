import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import {
  choose,
  chooseExpiry,
  flip,
  listedNames,
  openOptions,
  send,
  sendButton,
} from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const picked = ['a.txt', 'b.txt'].map((name) => ({ name, bytes: Buffer.from(name) }))
const note = (page: Page) => page.getByLabel('Note (Markdown supported)')

test('a custom lifetime is shown unchanged when the options are opened again', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  await openOptions(page)
  const expiry = page.getByRole('group', { name: 'Expires in' })
  const chosen = () => expiry.locator('label:has(:checked)').textContent()
  await chooseExpiry(page, 'Custom…')
  await page.getByLabel('Amount').fill('36')
  await page.getByLabel('Unit').selectOption('hours')
  const shown = async () => ({
    expiry: await chosen(),
    count: await page.getByLabel('Amount').inputValue(),
    unit: await page.getByLabel('Unit').inputValue(),
  })
  const set = await shown()
  expect(set).toEqual({ expiry: 'Custom…', count: '36', unit: 'hours' })
  const close = async () => {
    await page.getByRole('button', { name: /^Options/, expanded: true }).click()
    await expiry.waitFor({ state: 'detached' })
  }
  await close()
  await openOptions(page)
  await expiry.waitFor()
  expect(await shown()).toEqual(set)
  await chooseExpiry(page, '7 days')
  await close()
  await openOptions(page)
  await expiry.waitFor()
  expect(await chosen()).toBe('7 days')
  expect(pageErrors).toEqual([])
})

test('the focus stays on the element that the user chose after renaming a file', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  await openOptions(page)
  await flip(page, 'Add note')
  await page.getByRole('button', { name: 'Rename a.txt' }).click()
  await page.keyboard.type('renamed')
  await note(page).click()
  await page.keyboard.type('a word')
  await expect.poll(() => note(page).inputValue()).toBe('a word')
  await page.getByRole('button', { name: 'Rename b.txt' }).click()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Remove b.txt from the list',
  )
  expect(await listedNames(page)).toEqual(['renamed.txt', 'b.txt'])
  expect(pageErrors).toEqual([])
})

test('a note that is too long is reported before an upload', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  await openOptions(page)
  await flip(page, 'Add note')
  // Two bytes each.
  await note(page).fill('ä'.repeat(16_385))
  await page.getByText('The note is too long. The limit is 33 kB.').waitFor()
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  await checkState(page, 'note-too-long')
  await note(page).fill('ä'.repeat(16_384))
  await send(page)
  expect(pageErrors).toEqual([])
})

test('on a narrow screen the upload button never covers the focused element', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 600 } })
  await choose(page, server.url, picked)
  await openOptions(page)
  await flip(page, 'Password protection')
  await page.getByRole('link', { name: 'Svc' }).focus()
  const coveredFocus = () =>
    sendButton(page).evaluate(({ parentElement: bar }) => {
      const focused = document.activeElement
      if (!focused || !bar || bar.contains(focused)) return undefined
      const { left, bottom } = focused.getBoundingClientRect()
      return bar.contains(document.elementFromPoint(left + 1, bottom - 1)) ? focused.outerHTML : undefined
    })
  const covered: (string | undefined)[] = []
  for (let stops = 0; stops < 24; stops += 1) {
    await page.keyboard.press('Tab')
    covered.push(await coveredFocus())
  }
  expect(covered.filter((found) => found !== undefined)).toEqual([])
  expect(pageErrors).toEqual([])
})
