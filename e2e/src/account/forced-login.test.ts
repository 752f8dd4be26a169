import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { pick, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  const settings = { ...withAccounts, FEATURE_AUTHENTICATION: 'forced' }
  ;[server, browser] = await Promise.all([startServer(settings), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('guests are redirected to the login, and may upload after it', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Only users with an account can upload files here.').waitFor()
  await screenshot(page, 'login-forced')
  await enter(page, admin)
  await menu(page).waitFor()
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  await pick(page, [{ name: 'a', bytes: Buffer.from('a') }])
  await send(page)
  await page.goto(`${server.url}/#/no/such/page`)
  await page.getByText('This page does not exist.').waitFor()
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(pageErrors).toEqual([])
})

test.for(['/no/such/page', '/?file=1', '/home/uploads'])('%s is not shown to guests', async (path) => {
  const { page, context } = await visit(browser, server.url)
  await page.goto(`${server.url}/#${path}`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await context.close()
})

test('a link that was cut says so to guests, whom an account would not help', async () => {
  const { page, context } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/?id=`)
  await page.getByText('This link is incomplete').waitFor()
  await context.close()
})

test('guests can download files from a link, and return there after the login', async () => {
  const sdk = await signedIn(server.url)
  const upload = await sdk.createUpload()
  await sdk.addFile(upload.id, new Blob(['x']), { fileName: 'x', uploadToken: upload.uploadToken })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('heading', { name: 'A file for you' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enter(page, admin)
  await menu(page).waitFor()
  await page.getByRole('heading', { name: '1 file', exact: true }).waitFor()
})

test('the clients page is public, and a login page does not redirect to itself', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/clients`)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(page.url()).toBe(`${server.url}/#/clients`)
})

test('a signed-in user can open every page', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/no/such/page`)
  await page.getByText('This page does not exist.').waitFor()
  await page.reload()
  await page.getByText('This page does not exist.').waitFor()
})

test('an unreachable server does not look like one without forced authentication', async () => {
  const { page } = await visit(browser, server.url)
  await page.route(/\/config$/, (route) => route.abort())
  await page.goto(`${server.url}/`)
  await page.getByRole('heading', { name: 'No connection' }).waitFor()
  await page.unroute(/\/config$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Only users with an account can upload files here.').waitFor()
  expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0)
})
