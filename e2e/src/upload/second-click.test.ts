import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { choose, flip, openOptions, sendButton } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const heights: Readonly<Record<number, number>> = { 390: 780, 820: 900, 1440: 900 }

test.for([
  [390, []],
  [390, ['One-time download']],
  [820, ['One-time download']],
  [1440, []],
  [1440, ['One-time download']],
  [1440, ['One-time download', 'End-to-end encryption']],
] as const)(
  'with a width of %i and %s, a second click at the place of “Upload” does not meet “Delete upload”',
  async ([width, options]) => {
    const { page, pageErrors } = await visit(browser, server.url, {
      viewport: { width, height: heights[width] ?? 900 },
    })
    await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('text') }])
    if (options.length > 0) await openOptions(page)
    for (const option of options) await flip(page, option)
    const button = await sendButton(page).boundingBox()
    await sendButton(page).click()
    await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
    const remove = await page.getByRole('button', { name: 'Delete upload' }).boundingBox()
    await screenshot(page, `second-click-${String(width)}-${String(options.length)}`)
    if (!button || !remove) throw new Error('a button is not there')
    const isApart =
      remove.x >= button.x + button.width ||
      remove.x + remove.width <= button.x ||
      remove.y >= button.y + button.height ||
      remove.y + remove.height <= button.y
    expect({ isApart, button, remove }).toMatchObject({ isApart: true })
    expect(pageErrors).toEqual([])
  },
)
