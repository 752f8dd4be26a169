import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send, sendButton } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const desktop = { viewport: { width: 1440, height: 900 } }
const picked = ['a.txt', 'b.txt'].map((name) => ({ name, bytes: Buffer.from(name) }))
/** The sides of an element in the window. */
const box = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect()
      return { left, right, top, bottom }
    })

test('on a desktop, files are beside the options, and after the upload beside the link', async () => {
  const { page, pageErrors } = await visit(browser, server.url, desktop)
  await choose(page, server.url, picked)
  await page.getByRole('group', { name: 'Expires in' }).waitFor()
  const [list, options] = [await box(page, '.list-box'), await box(page, '.options')]
  expect(options.left).toBeGreaterThan(list.right)
  expect(options.top).toBeLessThan(list.top)
  const link = await send(page)
  const [sent, card] = [await box(page, '.list-box'), await box(page, '.share')]
  expect(card.left).toBeGreaterThan(sent.right)
  expect(Math.abs(card.top - sent.top)).toBeLessThan(2)
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('textbox', { name: 'Link to this page' }).waitFor()
  const [received, tools] = [await box(page, '.list-box'), await box(page, '.tools')]
  expect(tools.left).toBeGreaterThan(received.right)
  expect(Math.abs(tools.top - received.top)).toBeLessThan(2)
  expect(pageErrors).toEqual([])
})

test('all options open, the button below them stays in a window of 700 pixels', async () => {
  const { page } = await visit(browser, server.url, { viewport: { width: 1280, height: 700 } })
  await choose(page, server.url, picked)
  for (const option of ['Password protection', 'End-to-end encryption', 'Add note']) await flip(page, option)
  const { top, bottom } = await sendButton(page).evaluate((button) => button.getBoundingClientRect())
  expect(top).toBeGreaterThan(0)
  expect(bottom).toBeLessThanOrEqual(700)
})

test('on a phone, the row of the options has one height for all choices', async () => {
  const { page } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  await choose(page, server.url, picked)
  const height = () =>
    page.getByRole('button', { name: /^Options/ }).evaluate((button) => button.getBoundingClientRect().height)
  const before = await height()
  await openOptions(page)
  for (const option of [
    'One-time download',
    'Allow deletion',
    'End-to-end encryption',
    'Password protection',
  ])
    await flip(page, option)
  expect(await height()).toBe(before)
})

test('an icon button names itself to the pointer and to the keyboard, until Escape', async () => {
  const sdk = createClient({ baseURL: server.url })
  const { uploadID } = await sdk.quickUpload(new Blob(['x']), { fileName: 'x.txt' })
  const { page, pageErrors } = await visit(browser, server.url, desktop)
  const tooltip = page.locator('.tooltip:not([hidden])')
  await page.goto(`${server.url}/#/?id=${uploadID}`)
  await opened(page)
  await page.mouse.move(5, 5)
  await page.locator('.tooltip').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Copy link to x.txt' }).hover()
  await tooltip.getByText('Copy link to x.txt').waitFor()
  const { left, right } = await box(page, '.tooltip')
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(1440)
  await page.mouse.move(5, 5)
  await tooltip.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'View', exact: true }).focus()
  await page.keyboard.press('Tab')
  await tooltip.getByText('Copy link to x.txt').waitFor()
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})
