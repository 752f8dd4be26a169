import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, pick, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a wrong password is reported, and can be corrected', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  await enter(page, { ...admin, password: 'not the password' })
  await expect.poll(() => page.getByRole('alert').textContent()).toBe('Wrong username or password.')
  await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
  expect(await menu(page).count()).toBe(0)
  await enter(page, admin)
  await menu(page).waitFor()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
})

test('after too many attempts the page shows how long to wait', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  const message = page.getByRole('alert')
  const words: (string | null)[] = []
  for (let attempts = 0; attempts < 11; attempts += 1) {
    const responded = page.waitForResponse(/\/auth\/local\/login$/)
    await enter(page, { login: 'unknown', password: `guess ${String(attempts)}` })
    await responded
    await message.waitFor()
    words.push(await message.textContent())
  }
  expect(words[0]).toBe('Wrong username or password.')
  await expect
    .poll(() => message.textContent())
    .toMatch(/^Too many attempts\. Try again in (?:5 minutes|4 minutes)\.$/)
  await checkState(page, 'login-often')
})

test('an unreachable server is reported', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  await page.route(/\/auth\/local\/login$/, (route) => route.abort())
  await enter(page, admin)
  await page.getByText('The server cannot be reached, or the connection was lost.').waitFor()
  await page.unroute(/\/auth\/local\/login$/)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await menu(page).waitFor()
})

test('a browser without cookies is reported', async () => {
  const { page, context } = await visit(browser, server.url)
  await page.route(/\/auth\/local\/login$/, async (route) => {
    const response = await route.fetch()
    await context.clearCookies()
    await route.fulfill({ status: response.status(), body: 'ok' })
  })
  await page.goto(`${server.url}/#/login`)
  await enter(page, admin)
  await page.getByText('Your browser blocks the cookie that keeps you signed in.').waitFor()
  await checkState(page, 'login-no-cookie')
})

test('a logout that fails is reported, and can be retried', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.route(/\/auth\/logout$/, (route) => route.abort())
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('The server cannot be reached, or the connection was lost.').waitFor()
  await page.unroute(/\/auth\/logout$/)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
})

describe('a session that ends during use', () => {
  const endAllSessions = async () => {
    const sdk = await signedIn(server.url)
    for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  }
  const uploadWithEndedSession = async () => {
    const visited = await visit(browser, server.url)
    const { page } = visited
    await logIn(page, server.url)
    await choose(page, server.url, [{ name: 'a', bytes: Buffer.from('a') }])
    await endAllSessions()
    await sendButton(page).click()
    return visited
  }

  test('makes the user a guest, with a notice', async () => {
    const { page, context } = await uploadWithEndedSession()
    // At the top, and beside the button.
    await page.getByText('Your session has expired. You are signed out.').nth(1).waitFor()
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
    expect(await menu(page).count()).toBe(0)
    expect((await context.cookies()).map(({ name }) => name)).toEqual([])
    await page.getByRole('button', { name: 'Close' }).click()
    // The chosen files are still there, and are uploaded as a guest.
    await send(page)
  })

  test('can be renewed beside the button that has failed, with the chosen files', async () => {
    const { page } = await uploadWithEndedSession()
    await page.locator('form').getByRole('link', { name: 'Sign in again' }).click()
    await enter(page, admin)
    await menu(page).waitFor()
    await sendButton(page).waitFor()
    expect(await page.getByText('Your session has expired.').count()).toBe(0)
  })

  test('is no longer reported once another tab has signed in', async () => {
    const { page, context } = await uploadWithEndedSession()
    await page.locator('form').getByText('Your session has expired.').waitFor()
    await logIn(await context.newPage(), server.url)
    await menu(page).waitFor()
    expect(await page.getByText('Your session has expired.').count()).toBe(0)
  })

  test('shows no notice when the page is reloaded', async () => {
    const { page } = await visit(browser, server.url)
    await logIn(page, server.url)
    await endAllSessions()
    await page.reload()
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await pick(page, [{ name: 'a', bytes: Buffer.from('a') }])
    await send(page)
    expect(await page.getByText('Your session has expired.').count()).toBe(0)
  })
})

test('login and logout affect all tabs', async () => {
  const { page, context } = await visit(browser, server.url)
  await logIn(page, server.url)
  const other = await context.newPage()
  const lookAt = (tab: typeof page) =>
    tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await other.goto(`${server.url}/`)
  await menu(other).click()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByRole('link', { name: 'Sign in' }).waitFor()
  await lookAt(page)
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  await logIn(other, server.url)
  await lookAt(page)
  await menu(page).waitFor()
})

test('a user name is shown as text only', async () => {
  const name = '<img src=x onerror=pwned()> {{7*7}}'
  const sdk = await signedIn(server.url)
  await sdk.createUser({ provider: 'local', login: 'mallory', password: 'long enough', name })
  const { page, pageErrors } = await visit(browser, server.url, { bypassCSP: true })
  let ran = 0
  await page.exposeFunction('pwned', () => (ran += 1))
  await page.goto(`${server.url}/#/login`)
  await enter(page, { login: 'mallory', password: 'long enough' })
  await menu(page, name).click()
  await expect.poll(() => page.locator('.who').innerText()).toBe(name)
  expect({ ran, pageErrors }).toEqual({ ran: 0, pageErrors: [] })
})

test('the page asks for the password of a protected upload, not the browser', async () => {
  const response = await fetch(`${server.url}/me`, { headers: { 'x-clientapp': 'web_client' } })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, null])
  const sdk = await signedIn(server.url)
  const upload = await sdk.createUpload({ password: 'hush' })
  const locked = await fetch(`${server.url}/upload/${upload.id}`, {
    headers: { 'x-clientapp': 'web_client' },
  })
  expect([locked.status, locked.headers.get('www-authenticate')]).toEqual([401, null])
})
