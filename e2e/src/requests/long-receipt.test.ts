import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const count = 150
const files = Array.from({ length: count }, (_, index) => ({
  name: `photo ${String(index)}.jpg`,
  bytes: Buffer.from(`photo ${String(index)}`),
}))
const rows = (page: Page) => page.getByRole('list', { name: 'Receipt' }).getByRole('listitem')

test('the receipt of many files has the rows and checksums in the window, and all of them to print', async () => {
  const { page: owner } = await visit(browser, server.url)
  const sender = await sendAs(browser, 'Ada', await ask(owner, server.url, { encrypt: false }), files)
  await sender.getByText('photo 0.jpg').waitFor()
  expect(await rows(sender).count()).toBeLessThan(60)
  await screenshot(sender, 'request-long-receipt')
  expect(await violations(sender)).toEqual([])
  await sender.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect.poll(() => rows(sender).count()).toBe(count)
  await sender.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await rows(sender).count()).toBeLessThan(60)

  await sender.getByRole('button', { name: 'Details: MD5 checksums' }).click()
  await sender.evaluate(() => scrollTo(0, document.body.scrollHeight))
  const sums = sender.locator('.hash')
  await sums.first().waitFor()
  expect(await sums.count()).toBeLessThan(60)
  await sender.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await sender.locator('.sums').getByText('photo 149.jpg', { exact: true }).waitFor()
  await screenshot(sender, 'request-long-receipt-sums')
})
