import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { menu, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startIdentityProvider, type IdentityProvider } from '../support/services/identity-provider.ts'
import { choose, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let provider: IdentityProvider
let server: StartedServer
let browser: Browser

beforeAll(async () => {
  provider = await startIdentityProvider('octavia')
  const settings = { ...withAccounts, ...provider.settings, IDP2_NAME: 'The <b>Hub</b>' }
  ;[server, browser] = await Promise.all([startServer(settings), launch()])
})
afterAll(() => Promise.all([server.stop(), provider.stop(), browser.close()]))

const button = 'Sign in with The <b>Hub</b>'

test('a user logs in with a provider, and returns to the page before it', async () => {
  provider.respondWith('consent')
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/?id=0000000000000000`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: button }).click()
  await menu(page, 'Octavia').waitFor()
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  expect(page.url()).toBe(`${server.url}/#/?id=0000000000000000`)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('svc-')
})

test('a denied login is reported, and can be retried', async () => {
  provider.respondWith('denial')
  const { page } = await visit(browser, server.url)
  await page.goto(`${server.url}/#/login`)
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('alert').waitFor()
  expect(page.url()).toMatch(/#\/login\?error=\w+$/)
  await checkState(page, 'provider-denied')
  provider.respondWith('consent')
  await page.getByRole('button', { name: button }).click()
  await menu(page, 'Octavia').waitFor()
})

test('an invalid URL from the server is not opened', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.route(/\/auth\/idp2\/login$/, (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'javascript:alert(1)' }),
  )
  await page.goto(`${server.url}/#/login`)
  await page.getByRole('button', { name: button }).click()
  await page
    .getByText('The response did not come from the server. A proxy or network login page may be in the way.')
    .waitFor()
  expect(pageErrors).toEqual([])
})

describe('the callback URL', () => {
  test.for([
    ['login_refused', 'You signed in, but this server does not accept your account.'],
    ['login_failed', 'The sign-in could not be completed. Try again.'],
    ['Your account is locked, call 555 0100', 'The sign-in could not be completed. Try again.'],
  ])('with %s shows: %s', async ([code = '', words = '']) => {
    const { page, context } = await visit(browser, server.url)
    await page.goto(`${server.url}/#/login?error=${encodeURIComponent(code)}`)
    await expect.poll(() => page.getByRole('alert').textContent()).toBe(words)
    expect(await page.getByText('555 0100').count()).toBe(0)
    await context.close()
  })
})

test('without local login there is no form', async () => {
  await using cleanup = new AsyncDisposableStack()
  const only = await startServer({ ...withAccounts, ...provider.settings, FEATURE_LOCAL_LOGIN: 'disabled' })
  cleanup.defer(only.stop)
  const { page } = await visit(browser, only.url)
  await page.goto(`${only.url}/#/login`)
  await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
})

describe('files that are chosen and not uploaded', () => {
  const choosing = async () => {
    provider.respondWith('consent')
    const visited = await visit(browser, server.url)
    await choose(visited.page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
    await visited.page.getByRole('link', { name: 'Sign in' }).click()
    await visited.page.getByRole('button', { name: button }).click()
    await visited.page.getByRole('dialog', { name: 'Leave before uploading?' }).waitFor()
    return visited
  }

  test('are discarded for a provider login only after confirmation', async () => {
    const { page } = await choosing()
    await checkState(page, 'provider-unsent')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await menu(page, 'Octavia').waitFor()
  })

  test('remain after a login in another tab', async () => {
    const { page, context, pageErrors } = await choosing()
    await page.getByRole('button', { name: 'Cancel' }).click()
    const other = await context.newPage()
    await other.goto(`${server.url}/#/login`)
    await other.getByRole('button', { name: button }).click()
    await menu(other, 'Octavia').waitFor()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await menu(page, 'Octavia').waitFor()
    await send(page)
    expect(pageErrors).toEqual([])
  })
})
