import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a signed-in user on the page of guests sees the form in the account only: another one would lose its text', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  const title = page.getByRole('textbox', { name: 'What do you need?' })
  const formsBefore: number[] = []
  const configured = page.waitForResponse(`${server.url}/config`)
  await page.route(/\/PersonalPage-[^/]+\.js$/, async (route) => {
    // The form would appear with the configuration of the server.
    await configured
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    formsBefore.push(await title.count())
    await route.continue()
  })
  // Another query, so that the page is loaded again.
  await page.goto(`${server.url}/?again#/requests`)
  await page.waitForURL(/#\/home\/requests$/)
  await title.waitFor()
  expect(formsBefore).toEqual([0])
  expect(pageErrors).toEqual([])
})
