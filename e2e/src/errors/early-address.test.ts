import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test.for([
  ['/#/sent', '#/clients', 'Other ways to upload', /SentPage/],
  ['/#/clients', '#/', 'Share files with a link', /ClientsPage/],
] as const)(
  'a change of the address from %s to %s while the first page loads is not lost',
  async ([first, second, heading, script]) => {
    const { page, pageErrors } = await visit(browser, server.url)
    page.setDefaultTimeout(20_000)
    const release = Promise.withResolvers<undefined>()
    await page.route(script, async (route) => {
      await release.promise
      await route.continue()
    })
    await page.goto(`${server.url}${first}`, { waitUntil: 'commit' })
    // Vue has started, and the router waits for the script.
    await page.locator('[data-v-app]').waitFor({ state: 'attached' })
    await page.evaluate(
      (hash) =>
        new Promise<void>((resolve) => {
          addEventListener('hashchange', () => resolve(), { once: true })
          location.hash = hash
        }),
      second,
    )
    release.resolve(undefined)
    await page.getByRole('heading', { name: heading }).waitFor()
    expect(new URL(page.url()).hash).toBe(second)
    await page.goBack()
    await page.waitForFunction((hash) => location.hash === hash, first.slice(1))
    expect(pageErrors).toEqual([])
  },
)
