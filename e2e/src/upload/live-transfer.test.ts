import { once } from 'node:events'
import { connect } from 'node:net'
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
  await sender.getByRole('heading', { name: 'Waiting for someone to open the link' }).waitFor()
  await sender.getByText('Each file starts when someone downloads it.').waitFor()
  await sender.getByText('100 kB · waiting').waitFor()
  // Nothing is stored that could expire, and nothing runs that could pause.
  expect(await sender.getByText(/Expires/).count()).toBe(0)
  expect(await sender.getByRole('button', { name: /^Pause/ }).count()).toBe(0)
  await sender.getByText('Keep this page open until the recipients have the files').waitFor()
  expect(await sender.getByText(/per second|left$|received$/).count()).toBe(0)
  expect(await violations(sender)).toEqual([])
  if (!encrypted) await screenshot(sender, 'live-waiting')

  const { page: receiver } = await visit(browser, server.url)
  await receiver.goto(await shareLink(sender))
  await receiver.getByText('The file comes straight from the sender').waitFor()
  // It ends with the connection of the sender, and not at a time.
  expect(await receiver.getByText('Expires').count()).toBe(0)
  const got = await downloaded(receiver, () =>
    receiver
      .getByRole('link', { name: /Download/ })
      .first()
      .click(),
  )
  expect(got).toEqual({ name: 'live.bin', bytes })
  await sender.getByRole('heading', { name: 'Received', exact: true }).waitFor()
  await receiver.getByRole('heading', { name: 'You have it' }).waitFor()
  expect(await violations(sender)).toEqual([])
  if (!encrypted) await screenshot(receiver, 'live-received')
  const late = await visit(browser, server.url)
  await late.page.goto(await receiver.evaluate(() => location.href))
  await late.page.getByRole('heading', { name: 'Downloaded, and gone' }).waitFor()
})

test('the sender of a live transfer sees what the recipient has, and the recipient when the sender is gone', async () => {
  await using cleanup = new AsyncDisposableStack()
  const server = await startServer({})
  cleanup.defer(server.stop)
  const { page: sender } = await visit(browser, server.url)
  await choose(sender, server.url, [{ name: 'live.bin', bytes: Buffer.alloc(40_000_000, 'x') }])
  await openOptions(sender)
  await flip(sender, 'Live transfer')
  await sendButton(sender).click()
  await sender.getByRole('heading', { name: 'Waiting for someone to open the link' }).waitFor()
  const { page: receiver } = await visit(browser, server.url)
  await receiver.goto(await shareLink(sender))
  await receiver.getByText('The file comes straight from the sender').waitFor()
  // A recipient that reads a little, and waits.
  const { hostname, port } = new URL(server.url)
  const slow = connect(Number(port), hostname)
  cleanup.defer(() => {
    slow.destroy()
  })
  const link = await receiver.getByRole('link', { name: 'Download', exact: true }).getAttribute('href')
  const { pathname, search } = new URL(link ?? '')
  slow.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await once(slow, 'readable')
  await sender.getByRole('heading', { name: 'The recipient is downloading' }).waitFor()
  const numbers = sender.getByText(/^[\d.]+ [kM]B of 40 MB received$/)
  await numbers.first().waitFor()
  expect(await violations(sender)).toEqual([])
  await screenshot(sender, 'live-sending')
  expect(parseFloat((await numbers.first().textContent()) ?? '')).toBeLessThan(30)
  slow.destroy()
  await sender.getByRole('alert').getByText('live.bin: The other side disconnected. Try again.').waitFor()
  await receiver.getByText('Waiting for the sender', { exact: true }).waitFor()
  await screenshot(receiver, 'live-away')
  await sender.getByRole('button', { name: 'Retry live.bin' }).click()
  await receiver.getByRole('link', { name: 'Download', exact: true }).waitFor()
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
  await page.getByRole('alert').getByText('No one downloaded the file in time.').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Retry live.txt' }).click()
  await page.getByText('Each file starts when someone downloads it.').waitFor()
})

test('files that the page of the sender has not begun yet do not look as if that page were closed', async () => {
  await using cleanup = new AsyncDisposableStack()
  const server = await startServer({})
  cleanup.defer(server.stop)
  const { page: sender } = await visit(browser, server.url)
  const names = Array.from({ length: 7 }, (_, index) => `${String(index + 1)}.txt`)
  await choose(
    sender,
    server.url,
    names.map((name) => ({ name, bytes: Buffer.from(name) })),
  )
  await openOptions(sender)
  await flip(sender, 'Live transfer')
  await sendButton(sender).click()
  await sender.getByRole('heading', { name: 'Waiting for someone to open the link' }).waitFor()
  const { page: receiver } = await visit(browser, server.url)
  await receiver.goto(await shareLink(sender))
  const words = receiver.getByText('Waiting for the sender', { exact: true })
  await words.nth(1).waitFor()
  await expect.poll(() => words.count()).toBe(2)
  expect(await receiver.getByText('not connected').count()).toBe(0)
})
