import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, sendFile, waitForList } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** Holds requests of a method until they are released; counts them. */
async function hold(page: Page, url: RegExp, method: string) {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const requests = { count: 0, release: () => resolve(undefined) }
  await page.route(url, async (route) => {
    if (route.request().method() === method) {
      requests.count += 1
      await promise
    }
    await route.continue()
  })
  return requests
}

test('a button keeps the focus while its action runs, and ignores keys meanwhile', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  await page.getByLabel('Username').fill(admin.login)
  await page.getByLabel('Password').fill('wrong')
  const login = await hold(page, /\/auth\/local\/login$/, 'POST')
  const button = page.getByRole('button', { name: /^Sign(?:ing)? in/ })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Signing in…' }).waitFor()
  await expectFocus(button)
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByLabel('Password').press('Enter')
  await button.focus()
  login.release()
  await page.getByText('Wrong username or password.').waitFor()
  await expectFocus(button)
  expect(login.count).toBe(1)
  expect(pageErrors).toEqual([])
})

test('after the selected uploads are deleted, the focus is in the list', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const sdk = await signedIn(server.url)
  for (const name of ['a', 'b', 'c']) await sendFile(sdk, name)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('checkbox', { name: 'Select b' }).check()
  const deletion = await hold(page, /\/upload\//, 'DELETE')
  const bar = page.getByRole('group', { name: 'Selected uploads' })
  await bar.getByRole('button', { name: 'Delete' }).press('Enter')
  await clickInDialog(page, 'Delete')
  await expectFocus(bar.getByRole('button', { name: 'Deleting…' }))
  deletion.release()
  await waitForList(page, ['c', 'a'])
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await expectFocus(all)
  await page.getByRole('button', { name: 'Delete c' }).press('Enter')
  await clickInDialog(page, 'Delete')
  await waitForList(page, ['a'])
  await expectFocus(all)
  expect(pageErrors).toEqual([])
})

test('when a list has no more to show, the focus is before its new rows', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const sdk = await signedIn(server.url)
  for (let index = 0; index < 52; index += 1)
    await sdk.createUploadRequest({ title: `request ${String(index)}` })
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/requests`)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.press('Enter')
  await more.waitFor({ state: 'detached' })
  await expectFocus(page.getByRole('link', { name: 'Open request 2', exact: true }))
  await page.keyboard.press('Tab')
  await expectFocus(page.getByRole('link', { name: 'request 1', exact: true }))
  expect(pageErrors).toEqual([])
})
