import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test.for(['ar', 'de', 'ja', 'ru'])(
  'the notifications fit a phone and a desktop in %s',
  { timeout: screenshotTimeout },
  async (locale) => {
    const sdk = await signedIn(server.url)
    for (const { id } of await sdk.myWebhooks()) await sdk.removeMyWebhook(id)
    await sdk.createMyWebhook({
      url: `https://hooks.example/${'a'.repeat(200)}`,
      events: ['upload.expiring', 'limits.near'],
    })
    const { context: first, page: english } = await visit(browser, server.url)
    await logIn(english, server.url)
    const { page, pageErrors } = await visit(browser, server.url, {
      locale,
      storageState: await first.storageState(),
    })
    const checker = pageChecker(page, `notifications-${locale}`, [
      { width: 360, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark', axe: true },
    ])
    await page.goto(`${server.url}/#/home/notifications`)
    await page.locator('.webhook [aria-expanded]').click()
    await page.locator('.deliveries p').first().waitFor()
    await page.locator('.webhook .icons .icon-button').first().click()
    await page.locator('.webhook .events').waitFor()
    await checker.checkViews('open')
    expect([...checker.problems, ...pageErrors]).toEqual([])
    await first.close()
  },
)
