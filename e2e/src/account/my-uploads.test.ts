import type { Client } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { checkState, expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, listed, sendFile, waitForList } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
let admin: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  admin = await signedIn(server.url)
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A separate user, so that no test sees the uploads of another. */
async function newUser(login: string): Promise<{ user: TestUser; sdk: Client }> {
  const user = { login, password: 'long enough' }
  await admin.createUser({ provider: 'local', ...user })
  return { user, sdk: await signedIn(server.url, user) }
}

/** The last two digits are also the size. */
const names = Array.from({ length: 45 }, (_, index) => `file-${String(index + 10)}.txt`)

test('many uploads are listed page by page, and the URL contains the page', async () => {
  const { user, sdk } = await newUser('pages')
  for (const name of names) await sendFile(sdk, name, Number(name.slice(5, 7)))
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.getByRole('button', { name: 'Account: pages' }).click()
  await page.getByRole('link', { name: 'Uploads' }).click()
  await page.getByText('45 uploads').waitFor()
  const newest = names.toReversed()
  expect(await listed(page)).toEqual(newest.slice(0, 20))
  await expect.poll(() => page.getByRole('button', { name: 'Previous', exact: true }).isDisabled()).toBe(true)

  await page.getByRole('button', { name: 'Next' }).click()
  await waitForList(page, newest.slice(20, 40))
  await page.reload()
  await waitForList(page, newest.slice(20, 40))
  await page.getByRole('button', { name: 'Next' }).click()
  await waitForList(page, newest.slice(40))
  await expect.poll(() => page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
  await page.goBack()
  await waitForList(page, newest.slice(20, 40))

  await page.getByLabel('Sort by').selectOption('smallest')
  await waitForList(page, names.slice(0, 20))
  await page.getByLabel('Sort by').selectOption('largest')
  await waitForList(page, newest.slice(0, 20))
  expect(pageErrors).toEqual([])
})

test('only the selected uploads are removed', async () => {
  const { user, sdk } = await newUser('bulk')
  for (const name of ['a', 'b', 'c', 'd']) await sendFile(sdk, name)
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('checkbox', { name: 'Select b' }).check()
  await page.getByRole('checkbox', { name: 'Select d' }).check()
  await page.getByText('2 selected').waitFor()
  await page
    .getByRole('group', { name: 'Selected uploads' })
    .getByRole('button', { name: 'Delete 2 uploads' })
    .click()
  await page.getByRole('heading', { name: 'Delete 2 uploads?' }).waitFor()
  await clickInDialog(page, 'Cancel')
  expect(await listed(page)).toEqual(['d', 'c', 'b', 'a'])

  await page.getByRole('group', { name: 'Selected uploads' }).getByRole('button', { name: 'Delete' }).click()
  await clickInDialog(page, 'Delete')
  await waitForList(page, ['c', 'a'])
  await expect.poll(() => page.getByTestId('announcer').textContent()).toBe('2 uploads deleted.')
  expect(await page.getByRole('group', { name: 'Selected uploads' }).count()).toBe(0)
  expect((await sdk.myUploads()).total).toBe(2)

  await page.getByRole('button', { name: 'Delete c' }).click()
  await page.getByRole('heading', { name: 'Delete this upload?' }).waitFor()
  await clickInDialog(page, 'Delete')
  await waitForList(page, ['a'])
  expect(pageErrors).toEqual([])
})

test('when the last page is removed, the one before it is shown', async () => {
  const { user, sdk } = await newUser('lastpage')
  for (const name of names.slice(0, 22)) await sendFile(sdk, name)
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByText('22 uploads').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await waitForList(page, ['file-11.txt', 'file-10.txt'])
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('group', { name: 'Selected uploads' }).getByRole('button', { name: 'Delete' }).click()
  await clickInDialog(page, 'Delete')
  await page.getByText('20 uploads', { exact: true }).waitFor()
  expect(await listed(page)).toHaveLength(20)
})

test('filters narrow the list, an empty result offers to reset them, and everything can be removed', async () => {
  const { user, sdk } = await newUser('filters')
  await sendFile(sdk, 'plain')
  const once = await sdk.createUpload({ oneShot: true })
  await sdk.addFile(once.id, new Blob(['x']), { fileName: 'once' })
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('button', { name: 'One-time download' }).click()
  await waitForList(page, ['once'])
  await expect
    .poll(() => page.getByRole('button', { name: 'One-time download' }).getAttribute('aria-pressed'))
    .toBe('true')
  await page.getByRole('button', { name: 'Password', exact: true }).click()
  await page.getByText('No uploads match the filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await waitForList(page, ['once', 'plain'])
  await page.getByRole('button', { name: 'Delete all uploads' }).click()
  await page.getByText('Files that your file requests have received are deleted, too.').waitFor()
  await clickInDialog(page, 'Delete all')
  await page.getByText('Your uploads are listed here until they expire.').waitFor()
  await expectFocus(page.locator('h1'))
  await checkState(page, 'no-uploads')
  expect((await sdk.myUploads()).total).toBe(0)
})

test('a URL with an unknown cursor shows the first page', async () => {
  const { user, sdk } = await newUser('cursor')
  await sendFile(sdk, 'here')
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads?after=nonsense&sort=largest`)
  await waitForList(page, ['here'])
  expect(page.url()).toBe(`${server.url}/#/home/uploads?sort=largest`)
})

test('a removal that fails is reported, and the list stays', async () => {
  const { user, sdk } = await newUser('failing')
  await sendFile(sdk, 'stays')
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('button', { name: 'Delete stays' }).waitFor()
  await page.route(/\/upload\//, (route) => route.abort())
  await page.getByRole('button', { name: 'Delete stays' }).click()
  await clickInDialog(page, 'Delete')
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
  await checkState(page, 'removal-failed')
  expect(await listed(page)).toEqual(['stays'])
})

test('a list that fails to load shows the reason, and can be loaded again', async () => {
  const { user, sdk } = await newUser('offline')
  await sendFile(sdk, 'here')
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.route(/\/me\/uploads/, (route) => route.abort())
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await page.unroute(/\/me\/uploads/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await waitForList(page, ['here'])
})

test('a guest is redirected to the login and back, and a list disappears when the session ends', async () => {
  const { user, sdk } = await newUser('guest')
  await sendFile(sdk, 'secret plans')
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/home/uploads?sort=size`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Username').fill(user.login)
  await page.getByLabel('Password').fill(user.password)
  await page.keyboard.press('Enter')
  await waitForList(page, ['secret plans'])
  for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  await page.getByRole('button', { name: 'Password', exact: true }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has expired.').waitFor()
  expect(await page.getByText('secret plans').count()).toBe(0)
})
