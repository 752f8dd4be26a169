import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const bytes = (count: number) => Buffer.alloc(count, 'x')

test('sender and recipients of an encrypted upload read the sizes of the files themselves', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [
    { name: 'a.txt', bytes: bytes(3) },
    { name: 'trip/b.txt', bytes: bytes(1500) },
  ])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  const link = await send(page)
  const sizes = () =>
    page
      .locator('.list-row .below')
      .allTextContents()
      .then((all) => all.map((text) => text.replace(/ · Text$/, '').trim()))
  expect(await sizes()).toEqual(['1 file · 1.5 kB', '1.5 kB', '3 bytes'])
  await page.goto('about:blank')
  await page.goto(link)
  await opened(page)
  await page.locator('.list-row').nth(2).waitFor()
  expect(await sizes()).toEqual(['1 file · 1.5 kB', '1.5 kB', '3 bytes'])
  const all = page.getByRole('link', { name: 'Download all as ZIP', exact: true })
  const description = await all.evaluate(
    (link) => document.getElementById(link.getAttribute('aria-describedby') ?? '')?.textContent,
  )
  expect(description).toBe('1.5 kB')
  expect(pageErrors).toEqual([])
})
