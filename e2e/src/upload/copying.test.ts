import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, send } from '../support/journey.ts'
import { seen } from '../support/looks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('where the browser blocks the clipboard, the link is selected, with a message', async () => {
  const { page, offences } = await visit(browser, server.url)
  // As a browser whose owner blocks it.
  await page.addInitScript(() => {
    Object.assign(navigator.clipboard, {
      writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')),
    })
    Object.assign(document, { execCommand: () => false })
  })
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  const link = await send(page)
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page
    .locator('main')
    .getByText('The link could not be copied. Select it and copy it manually.')
    .waitFor()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(link)
  await seen(page, 'not-copied')
  expect(offences).toEqual([])
})

test('each copy of a link is announced to screen readers', async () => {
  const { page, context, offences } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  await send(page)
  const said = () => page.getByTestId('announcer').textContent()
  const heard: (string | null)[] = []
  while (heard.length < 3) {
    await page.getByRole('button', { name: /^(?:Copy link|Copied)$/ }).click()
    await expect.poll(said).not.toBe(heard.at(-1) ?? 'Ready to share')
    heard.push(await said())
  }
  expect(heard.map((sentence) => sentence?.trim())).toEqual(Array.from(heard, () => 'Link copied.'))
  expect(offences).toEqual([])
})
