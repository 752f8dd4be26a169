import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { choose, downloaded, flip, openOptions, sendButton, shareLink } from '../support/page-actions.ts'
import { startServer } from '../support/server.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

test.for([false, true])('a file is streamed to its recipient; encrypted: %s', async (encrypted) => {
  await using cleanup = new AsyncDisposableStack()
  const server = await startServer({})
  cleanup.defer(server.stop)
  const bytes = Buffer.alloc(100_000, 'Straight from one to the other. ')
  const { page: sender } = await visit(browser, server.url)
  await choose(sender, server.url, [{ name: 'live.bin', bytes }])
  await openOptions(sender)
  await flip(sender, 'Live transfer')
  if (encrypted) await flip(sender, 'End-to-end encryption')
  await sendButton(sender).click()
  await sender.getByText('starts when someone downloads it').waitFor()
  await sender.getByText('Keep this page open until the recipients have the files').waitFor()
  expect(await violations(sender)).toEqual([])
  if (!encrypted) await screenshot(sender, 'live-waiting')

  const { page: receiver } = await visit(browser, server.url)
  await receiver.goto(await shareLink(sender))
  await receiver.getByText('The files come straight from the sender').waitFor()
  const got = await downloaded(receiver, () =>
    receiver
      .getByRole('link', { name: /Download/ })
      .first()
      .click(),
  )
  expect(got).toEqual({ name: 'live.bin', bytes })
  await sender.getByRole('heading', { name: 'Delivered' }).waitFor()
  expect(await violations(sender)).toEqual([])
})

test('a stream that times out can be offered again', async () => {
  await using cleanup = new AsyncDisposableStack()
  const server = await startServer({ STREAM_TIMEOUT_STR: '1s' })
  cleanup.defer(server.stop)
  const { page } = await visit(browser, server.url)
  await choose(page, server.url, [{ name: 'live.txt', bytes: Buffer.from('Is anyone there?') }])
  await openOptions(page)
  await flip(page, 'Live transfer')
  await sendButton(page).click()
  await page.getByText('No one downloaded the file in time.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Retry live.txt' }).click()
  await page.getByText('starts when someone downloads it').waitFor()
})
