import { cookies } from '@svc/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, logIn, menu, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, opened, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, uploadIdOf } from '../support/uploads.ts'

const alice: TestUser = { login: 'alice', password: 'long enough' }

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  await (await signedIn(server.url)).createUser({ provider: 'local', ...alice })
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A tab of alice in which a file of this name is chosen. */
async function aliceChooses(name: string) {
  const visited = await visit(browser, server.url)
  await logIn(visited.page, server.url, alice)
  await choose(visited.page, server.url, [{ name, bytes: Buffer.from(name) }])
  return visited
}

const ofAlice = async () =>
  (await (await signedIn(server.url, alice)).myUploads()).results.map(({ id }) => id)
const signIn = (page: Page) => page.getByRole('main').getByRole('link', { name: 'Sign in', exact: true })

test('a tab shows at once that another tab has signed out, and then uploads without an account', async () => {
  const { page, context, pageErrors } = await aliceChooses('later.txt')
  const other = await context.newPage()
  await other.goto(server.url)
  await menu(other, alice.login).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  expect(await menu(page, alice.login).count()).toBe(0)
  const link = await send(page)
  expect(await ofAlice()).not.toContain(uploadIdOf(link))
  expect(pageErrors).toEqual([])
})

test('a tab shows at once that another tab has signed in', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await page.goto(server.url)
  await opened(page)
  await logIn(await context.newPage(), server.url, alice)
  await menu(page, alice.login).waitFor()
  expect(pageErrors).toEqual([])
})

test('a tab that has lost its session says so before it uploads, and keeps the files', async () => {
  const { page, context, pageErrors } = await aliceChooses('lost.txt')
  await context.clearCookies()
  await sendButton(page).click()
  await page.getByRole('alert').getByText('Nothing was uploaded').waitFor()
  expect(await menu(page, alice.login).count()).toBe(0)
  await signIn(page).waitFor()
  await checkState(page, 'other-user-guest')
  const link = await send(page)
  expect(await ofAlice()).not.toContain(uploadIdOf(link))
  // The guest can delete it: its entry has its token.
  await page.goto(`${server.url}/#/sent`)
  await page.reload()
  await page.getByRole('button', { name: 'Delete lost.txt' }).click()
  await clickInDialog(page, 'Delete')
  await expect.poll(async () => (await fetch(link.replace('/#/?id=', '/upload/'))).status).toBe(404)
  expect(pageErrors).toEqual([])
})

test('a tab that has lost its session keeps the files while the user signs in again', async () => {
  const { page, context, pageErrors } = await aliceChooses('again.txt')
  await context.clearCookies()
  await sendButton(page).click()
  await signIn(page).click()
  await page.getByLabel('Username').fill(alice.login)
  await page.getByLabel('Password').fill(alice.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const link = await send(page)
  expect(await ofAlice()).toContain(uploadIdOf(link))
  expect(pageErrors).toEqual([])
})

test('a file that was chosen by one user does not reach the account of another unasked', async () => {
  const { page, context, pageErrors } = await aliceChooses('mine.txt')
  // Another user has signed in where this tab does not notice it.
  await context.clearCookies()
  const login = await context.request.post(`${server.url}/auth/local/login`, { data: admin })
  expect(login.status()).toBe(200)
  expect((await context.cookies()).map(({ name }) => name)).toContain(cookies.xsrf)
  await sendButton(page).click()
  await page.getByRole('alert').getByText('Nothing was uploaded').waitFor()
  await menu(page).waitFor()
  await checkState(page, 'other-user-signed-in')
  const sdk = await signedIn(server.url)
  expect((await sdk.myUploads()).results).toEqual([])
  const link = await send(page)
  expect((await sdk.myUploads()).results.map(({ id }) => id)).toEqual([uploadIdOf(link)])
  expect(pageErrors).toEqual([])
})
