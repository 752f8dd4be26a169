import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, linkToManage, openOptions, send, shareLink } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

// A button that moves between press and release gets no click.

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

type Recording = typeof globalThis & { tops: Set<number> }

/** Records where the button of the download is, in each frame. */
const recordTops = (page: Page) =>
  page.addInitScript(() => {
    const tops = ((globalThis as Recording).tops = new Set<number>())
    const look = () => {
      const button = document.querySelector('a[data-starts]')
      if (button !== null) tops.add(button.getBoundingClientRect().top)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })

test('the page of an encrypted upload appears in one step, for its recipients and its sender', async () => {
  const { page: sender } = await visit(browser, server.url)
  await choose(sender, server.url, [{ name: 'a.txt', bytes: Buffer.from('secret') }])
  await openOptions(sender)
  await flip(sender, 'End-to-end encryption')
  await send(sender)
  const link = await shareLink(sender)
  const own = await linkToManage(sender)
  for (const [url, text] of [
    [link, 'These files are encrypted.'],
    [own, 'Recipients cannot use files that are added now'],
  ] as const) {
    const { page, pageErrors } = await visit(browser, server.url)
    await recordTops(page)
    await page.goto(url)
    await page.getByText(text).waitFor()
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
    expect(await page.evaluate(() => [...(globalThis as Recording).tops])).toHaveLength(1)
    expect(pageErrors).toEqual([])
  }
})
