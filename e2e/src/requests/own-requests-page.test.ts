import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, menu, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask } from './asking.ts'

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

test('a request that is not made yet survives a reload and other pages, until it is made, cancelled or its author signs out', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/requests`)
  const title = page.getByRole('textbox', { name: 'What do you need?' })
  const kinds = page.getByLabel('File types (empty: all)')
  await title.fill('Photos')
  await page.getByRole('button', { name: 'More options' }).click()
  await kinds.fill('jpg')
  await page.reload()
  expect([await title.inputValue(), await kinds.inputValue()]).toEqual(['Photos', 'jpg'])
  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('heading', { name: 'Tokens' }).waitFor()
  await page.goBack()
  await expect.poll(() => title.inputValue()).toBe('Photos')
  await page.getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('textbox', { name: 'Link for senders' }).waitFor()

  await page.goto(`${server.url}/#/home/requests`)
  await page.getByRole('button', { name: 'New request' }).click()
  await expect.poll(() => title.inputValue()).toBe('')
  await title.fill('Invoices')
  await page.reload()
  await expect.poll(() => title.inputValue()).toBe('Invoices')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  const start = page.getByRole('button', { name: 'New request' })
  await start.click()
  await expect.poll(() => title.inputValue()).toBe('')
  await title.fill('Contracts')
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/requests`)
  await start.waitFor()
  expect(await title.count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('a list of requests that opens first stands in a box', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const link = await ask(page, server.url)
  expect(link).toContain('/#/request?')
  await page.goto('about:blank')
  await page.goto(`${server.url}/#/requests`)
  const list = page.getByRole('list', { name: 'File requests' })
  await list.waitFor()
  expect(await list.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('solid')
  expect(pageErrors).toEqual([])
})
