import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const titled = (page: Page, title: string) => expect.poll(() => page.title()).toBe(`${title} · Svc`)

test('tab and history have the title of each page, in the language of the page', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await titled(page, 'Share files with a link')
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await titled(page, 'Other ways to upload')
  await page.goto(`${server.url}/#/?id=nothing`)
  await titled(page, 'No longer available')
  await page.goto(`${server.url}/#/`)
  await titled(page, 'Share files with a link')
  await page.getByLabel('Language').selectOption('de')
  await titled(page, 'Dateien per Link senden')
  expect(pageErrors).toEqual([])
})

test('the tab title shows when all files are uploaded', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  const link = await send(page)
  await titled(page, 'Ready to share')
  await page.goto(link)
  await titled(page, 'A file for you')
  expect(pageErrors).toEqual([])
})
