import { randomBytes } from 'node:crypto'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, openOptions, sendButton } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { startConnectionProxy } from '../support/services/connection-proxy.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const open = (url = server.url) => visit(browser, url, { forcedColors: 'active' })

/** A picture of the element without its surroundings. */
const pictureOf = async (element: Locator) => (await element.screenshot()).toString('base64')

test('a switch shows its state in forced colours', async () => {
  const { page } = await open()
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  await openOptions(page)
  const option = page.getByRole('switch', { name: 'One-time download' })
  await option.focus()
  const off = await pictureOf(option)
  await option.press('Space')
  expect(await pictureOf(option)).not.toBe(off)
})

test('a bar shows the progress of an upload in forced colours', async () => {
  const proxy = await startConnectionProxy(server.url)
  const { page } = await open(proxy.url)
  await choose(page, proxy.url, [{ name: 'a.bin', bytes: randomBytes(4_000_000) }])
  const stalled = proxy.stall(1_500_000)
  await sendButton(page).click()
  await stalled
  const bar = page.getByRole('progressbar', { name: 'All files' })
  await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(5)
  const [ground, done] = await bar.evaluate((whole) =>
    [whole, whole.firstElementChild ?? whole].map((part) => getComputedStyle(part).backgroundColor),
  )
  expect(done).not.toBe(ground)
  await proxy.stop()
})

test('the current page is distinguishable in the navigation in forced colours', async () => {
  const { page } = await open()
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/tokens`)
  const tab = page.getByRole('navigation').getByRole('link', { name: 'Tokens' })
  await page.getByRole('heading', { name: 'Tokens', level: 1 }).waitFor()
  const current = await pictureOf(tab)
  await page.goto(`${server.url}/#/home/stats`)
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  expect(await pictureOf(tab)).not.toBe(current)
})
