import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { downloaded, linkToManage, opened, pick, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const statusOfMe = (page: Page) => page.evaluate(async () => (await fetch('/me')).status)
const hashOf = (page: Page) => page.evaluate(() => location.hash)

test('a user can log in, upload a file, and log out; afterwards no trace of the account is left', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
  await enter(page, admin)
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  await menu(page).waitFor()

  await pick(page, [{ name: 'private plans.txt', bytes: Buffer.from('plans') }])
  const link = await send(page)
  const mine = await (await signedIn(server.url)).myUploads()
  expect(mine.results.map(({ id, files }) => [id, files.map(({ fileName }) => fileName)])).toEqual([
    [new URLSearchParams(link.split('#/?')[1]).get('id'), ['private plans.txt']],
  ])
  // Opened with this link, the tab holds the upload's token.
  await page.goto(await linkToManage(page))
  await page.getByRole('heading', { name: '1 file', exact: true }).waitFor()
  await page.goto(`${server.url}/#/`)
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()

  await menu(page).click()
  await page.getByText('Signed in as ada').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await statusOfMe(page)).toBe(401)
  expect((await context.cookies()).map(({ name }) => name)).toEqual([])
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('svc-')

  for (let steps = 0; steps < 3; steps += 1) {
    await page.goBack()
    expect(page.url()).toContain(server.url)
    await opened(page)
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await menu(page).count()).toBe(0)
    expect(await page.getByText('Ready to share').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete upload' }).count()).toBe(0)
  }
  expect(pageErrors).toEqual([])
})

test('guests cause no request about their account', async () => {
  const { page } = await visit(browser, server.url)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(`${server.url}/`)
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(requests.filter((path) => path === '/me')).toEqual([])
  await logIn(page, server.url)
  requests.length = 0
  await page.reload()
  await menu(page).waitFor()
  expect(requests.filter((path) => path === '/me')).toEqual(['/me'])
})

test('the login returns to the page before it', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/?id=0000000000000000&file=1`)
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enter(page, admin)
  await menu(page).waitFor()
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  expect(await hashOf(page)).toBe('#/?id=0000000000000000&file=1')
})

test('the owner of a protected upload gets its files without the password, a guest does not', async () => {
  const sdk = await signedIn(server.url)
  const upload = await sdk.createUpload({ password: 'hush' })
  await sdk.addFile(upload.id, new Blob(['for ada']), { fileName: 'a.txt' })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('heading', { name: 'Password required' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enter(page, admin)
  await page.getByRole('heading', { name: '1 file', exact: true }).waitFor()
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download', exact: true }).click())
  expect(got.bytes.toString()).toBe('for ada')
})

test('a signed-in user is not asked to log in again', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/login?next=${encodeURIComponent('/?id=0000000000000000')}`)
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
})

describe('a crafted login link leads only into this application:', () => {
  test.for([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    '/%2F/evil.example',
    '\t//evil.example',
    '/login?next=//evil.example',
    '@evil.example',
  ])('%s', async (next) => {
    const { page, context, pageErrors } = await visit(browser, server.url)
    let alerts = 0
    page.on('dialog', (dialog) => {
      alerts += 1
      void dialog.dismiss()
    })
    await page.goto(`${server.url}/#/login?next=${encodeURIComponent(next)}`)
    await enter(page, admin)
    await menu(page).waitFor()
    await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
    expect({ url: page.url(), alerts, pageErrors }).toEqual({
      url: `${server.url}/#/`,
      alerts: 0,
      pageErrors: [],
    })
    await context.close()
  })
})

test('without accounts on the server, the login page says so', async () => {
  await using cleanup = new AsyncDisposableStack()
  const open = await startServer()
  cleanup.defer(open.stop)
  const { page } = await visit(browser, open.url)
  await page.goto(`${open.url}/#/login`)
  await page.getByRole('heading', { name: 'No account needed' }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Upload files', exact: true }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0)
})

test('the keyboard alone is enough to log in and out', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  const focused = () =>
    page.evaluate(() => [document.activeElement?.tagName, document.activeElement?.textContent.trim()])
  expect(await focused()).toEqual(['H1', 'Sign in'])
  await page.keyboard.press('Tab')
  await page.keyboard.type(admin.login)
  await page.keyboard.press('Tab')
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await menu(page).focus()
  await page.keyboard.press('Enter')
  const leave = page.getByRole('button', { name: 'Sign out' })
  await leave.waitFor()
  await page.keyboard.press('Escape')
  await leave.waitFor({ state: 'hidden' })
  expect(await menu(page).evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Space')
  // Past the links to what this device sent, uploads, requests, account and administration.
  for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press('Tab')
  expect(await leave.evaluate((button) => button === document.activeElement)).toBe(true)
  // Tab leaves the menu.
  await page.keyboard.press('Tab')
  await leave.waitFor({ state: 'hidden' })
  await menu(page).press('Enter')
  for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})

test('login and logout work below a path prefix', async () => {
  await using cleanup = new AsyncDisposableStack()
  const prefixed = await startServer({ ...withAccounts, PATH: '/share' })
  cleanup.defer(prefixed.stop)
  const base = prefixed.url.endsWith('/share') ? prefixed.url : `${prefixed.url}/share`
  const { page, context, pageErrors } = await visit(browser, prefixed.url)
  await logIn(page, base)
  expect((await context.cookies()).map(({ path }) => path)).toEqual(['/share', '/share'])
  await pick(page, [{ name: 'a', bytes: Buffer.from('a') }])
  await send(page)
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await context.cookies()).toEqual([])
  expect(pageErrors).toEqual([])
})
