import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('where the browser blocks the clipboard, the link is selected, with a message', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  // Simulates a blocked clipboard.
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
  await checkState(page, 'not-copied')
  expect(pageErrors).toEqual([])
})

test('each copy of a link is announced to screen readers', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  await send(page)
  const announcement = () => page.getByTestId('announcer').textContent()
  const announced: (string | null)[] = []
  while (announced.length < 3) {
    await page.getByRole('button', { name: /^(?:Copy link|Copied)$/ }).click()
    await expect.poll(announcement).not.toBe(announced.at(-1) ?? 'Ready to share')
    announced.push(await announcement())
  }
  // A no-break space at the end distinguishes a repeated sentence from the one before.
  expect(announced.map((sentence) => sentence?.trim())).toEqual(Array.from(announced, () => 'Link copied.'))
  expect(pageErrors).toEqual([])
})
