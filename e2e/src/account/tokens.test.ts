import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, sendFile, waitForList } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const make = async (page: Page, comment: string) => {
  await page.getByLabel('Description').fill(comment)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('heading', { name: 'Your new token' }).waitFor()
}

test('a token can be created, copied once, used, found by its uploads, and revoked', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/tokens`)
  await page.getByText('You have no tokens.').waitFor()
  await make(page, 'backup of web1')
  await page.getByRole('button', { name: 'Copy: Token' }).click()
  await page.getByText('Copied', { exact: true }).waitFor()
  const token = await page.evaluate(() => navigator.clipboard.readText())
  expect(token).toMatch(/^svct_[0-9A-Za-z]{36}$/)

  const program = createClient({ baseURL: server.url, userToken: token })
  await sendFile(program, 'dump.sql')
  await sendFile(await signedIn(server.url), 'by hand')

  await page.reload()
  await page.getByText('backup of web1').waitFor()
  expect(await page.content()).not.toContain(token)
  await page.getByRole('link', { name: 'Uploads of backup of web1' }).click()
  await page.getByText('Uploaded with the token').waitFor()
  await waitForList(page, ['dump.sql'])
  await page.reload()
  await waitForList(page, ['dump.sql'])
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await waitForList(page, ['by hand', 'dump.sql'])
  // URLs end up in logs, and in the history of the browser.
  expect(
    [page.url(), ...requests].filter((url) => url.includes(token) && !url.includes('/me/token/')),
  ).toEqual([])

  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByRole('button', { name: 'Revoke backup of web1' }).click()
  await clickInDialog(page, 'Revoke')
  await page.getByText('You have no tokens.').waitFor()
  await expect(program.createUpload()).rejects.toMatchObject({ code: 'invalid_token' })
  expect(pageErrors).toEqual([])
})

test('after the last token of a page is revoked, the page before it is shown', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const sdk = await signedIn(server.url)
  for (let count = 1; count <= 21; count += 1) await sdk.createMyToken({ comment: `number ${String(count)}` })
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/tokens`)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Revoke number 1', exact: true }).click()
  await clickInDialog(page, 'Revoke')
  await page.getByText('number 21', { exact: true }).waitFor()
  // A URL from before.
  await page.goto(`${server.url}/#/home/tokens?after=gone`)
  await page.getByText('number 21', { exact: true }).waitFor()
  for (const { id } of (await sdk.myTokens({ limit: 500 })).results) await sdk.revokeMyToken(id)
  expect(pageErrors).toEqual([])
})

test('a token may expire', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/tokens`)
  await page.getByLabel('Expires in').selectOption('30')
  const before = Date.now()
  await make(page, 'for a month')
  const sdk = await signedIn(server.url)
  const made = (await sdk.myTokens()).results.find(({ comment }) => comment === 'for a month')
  const days = (Date.parse(made?.expiresAt ?? '') - before) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30.1)
})

test('a token may be limited to one scope', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/tokens`)
  await page.getByLabel('Permissions').selectOption({ label: 'upload only' })
  await make(page, 'sender')
  await page.getByText('upload only · created').waitFor()
  const sdk = await signedIn(server.url)
  const made = (await sdk.myTokens()).results.find(({ comment }) => comment === 'sender')
  expect(made?.scopes).toEqual(['upload'])
})

test('the URL of a revoked token says so', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/uploads?token=0000000000000000`)
  await page.getByText('This token does not exist.').waitFor()
})

test('without API tokens on the server, the page says so', async () => {
  await using cleanup = new AsyncDisposableStack()
  const without = await startServer({ ...withAccounts, FEATURE_API_TOKENS: 'disabled' })
  cleanup.defer(without.stop)
  const { page } = await visit(browser, without.url)
  await logIn(page, without.url)
  await page.goto(`${without.url}/#/home/tokens`)
  await page.getByText('Tokens are turned off on this server.').waitFor()
  expect(await page.getByRole('link', { name: 'Tokens' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Create token' }).count()).toBe(0)
})
