import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, withAccounts } from '../support/accounts.ts'
import { violations } from '../support/axe.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ ...withAccounts }), launch()])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const picked = [{ name: 'a.txt', bytes: Buffer.from('of a guest') }]
const kept = (page: Page) => page.getByRole('textbox', { name: 'Last upload from this window' })

test('a guest who reloads the page still has the link, and may remove the files', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  const link = await send(page)
  await page.reload()
  expect(await kept(page).inputValue()).toBe(link)
  await checkState(page, 'last-sent')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('button', { name: 'Delete a.txt' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await opened(page)
  expect(await kept(page).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('the link of encrypted files is kept with its key, in the memory of the page only', async () => {
  const { page } = await visit(browser, server.url)
  await choose(page, server.url, picked)
  await openOptions(page)
  await flip(page, 'Encrypt')
  const link = await send(page)
  expect(link).toContain('#key=')
  await page.getByRole('button', { name: 'Upload more files' }).click()
  expect(await kept(page).inputValue()).toBe(link)
  const storage = await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))
  expect(storage).not.toContain(link.split('#key=')[1])
  await page.reload()
  await opened(page)
  expect(await kept(page).count()).toBe(0)
})

test('an upload of a user who has logged out is not shown', async () => {
  const { page, context } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  await send(page)
  await context.clearCookies()
  await page.goto(`${server.url}/`)
  await page.reload()
  await opened(page)
  expect(await kept(page).count()).toBe(0)
  await page.goto(`${server.url}/#/login`)
  await enter(page, admin)
  await page.goto(`${server.url}/#/`)
  await kept(page).waitFor()
})
