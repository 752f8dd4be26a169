import type { Client } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enter, logIn, menu, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { sendFile } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
let admin: Client

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
  admin = await signedIn(server.url)
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

async function newUser(login: string, more: object = {}): Promise<TestUser> {
  const user = { login, password: 'long enough' }
  await admin.createUser({ provider: 'local', ...user, ...more })
  return user
}

async function open(user: TestUser, path = '/home/account') {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#${path}`)
  return { page, pageErrors }
}

const changePassword = async (page: Page, current: string, next: string) => {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
}

test('name and address can be changed, and the menu shows the new name at once', async () => {
  const user = await newUser('grace')
  const { page, pageErrors } = await open(user)
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
  await page.getByLabel('Email address').fill('grace@example.org')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').first().waitFor()
  await menu(page, 'Grace Hopper').waitFor()
  expect(await admin.user('local:grace')).toMatchObject({ name: 'Grace Hopper', email: 'grace@example.org' })
  expect(pageErrors).toEqual([])
})

test('in a narrow window, the tab of the page is in view', async () => {
  const { page } = await open(await newUser('radia'))
  await page.getByRole('heading', { name: 'Active sessions' }).waitFor()
  const tab = page.getByRole('link', { name: 'Account', exact: true })
  const isInView = () =>
    tab.evaluate((link) => {
      const { left, right } = link.getBoundingClientRect()
      return left >= 0 && right <= innerWidth
    })
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(isInView).toBe(true)
  await page.evaluate(() => {
    scrollTo(0, 500)
  })
  // A phone that is turned.
  await page.setViewportSize({ width: 350, height: 400 })
  await expect.poll(isInView).toBe(true)
  expect(await page.evaluate(() => scrollY)).toBe(500)
})

test('a new password needs the current one, and ends the other sessions', async () => {
  const user = await newUser('alan')
  const elsewhere = await signedIn(server.url, user)
  const { page } = await open(user)
  await expect.poll(() => page.locator('.session').count(), { timeout: 90_000 }).toBe(2)
  await changePassword(page, 'not this one', 'another one')
  await page.getByText('Wrong password.').waitFor()
  await changePassword(page, user.password, 'another one')
  await page.getByText('Password changed. Other devices are signed out.').first().waitFor()
  await expect.poll(() => page.locator('.session').count(), { timeout: 90_000 }).toBe(1)
  await expect(elsewhere.me()).rejects.toMatchObject({ status: 403 })
  await signedIn(server.url, { ...user, password: 'another one' })
  await page.reload()
  await menu(page, 'alan').waitFor()
})

test('another session can be ended', async () => {
  const user = await newUser('barbara')
  const elsewhere = await signedIn(server.url, user)
  const { page } = await open(user)
  await page.getByText('Chrome on Linux').waitFor()
  await page.getByRole('button', { name: /^End the session/ }).click()
  await expect.poll(() => page.locator('.session').count(), { timeout: 90_000 }).toBe(1)
  await expect(elsewhere.me()).rejects.toMatchObject({ status: 403 })
})

test('theme and language follow the account to another device, unless it has a local choice', async () => {
  const user = await newUser('edsger')
  const { page } = await open(user)
  const form = page.getByRole('region', { name: 'Appearance' })
  await form.getByLabel('Theme').selectOption('dark')
  await form.getByText('Saved').waitFor()
  await form.getByLabel('Language').selectOption('de')
  await page.getByRole('heading', { name: 'Aussehen' }).waitFor()
  await expect.poll(() => admin.user('local:edsger')).toMatchObject({ theme: 'dark', language: 'de' })

  const other = (await visit(browser, server.url, { colorScheme: 'light' })).page
  await other.goto(`${server.url}/#/login`)
  await enter(other, user)
  await other.getByRole('heading', { name: 'Dateien per Link senden' }).waitFor()
  expect(await other.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark')

  const decided = (await visit(browser, server.url, { colorScheme: 'light' })).page
  await decided.goto(`${server.url}/#/login`)
  await decided.getByLabel('Theme').selectOption('light')
  await decided.getByLabel('Language').selectOption('en')
  await enter(decided, user)
  await menu(decided, user.login).waitFor()
  expect(await decided.evaluate(() => document.documentElement.dataset['theme'])).toBe('light')
  await decided.getByRole('heading', { name: 'Share files with a link' }).waitFor()
})

test('the account page shows usage and limits side by side', async () => {
  const user = await newUser('donald', { maxUserSize: 1000, maxTTL: -1 })
  await sendFile(await signedIn(server.url, user), 'a.txt', 950)
  const { page } = await open(user, '/home/stats')
  await page.getByText('950 bytes of 1 kB used').waitFor()
  await page.getByText('You are running out of storage.').waitFor()
  const rows = await page.locator('.limits dl > div').allInnerTexts()
  expect(rows.map((row) => row.replace(/\s+/g, ' '))).toEqual([
    'Maximum file size 10 GB',
    'Storage quota 1 kB',
    'Maximum lifetime No limit',
  ])
})

test('the deletion of an account requires its name', async () => {
  const user = await newUser('leslie')
  const { page, pageErrors } = await open(user)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete account' })
  await dialog.getByLabel('Type your username').fill('lesli')
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  await dialog.getByLabel('Type your username').fill('leslie')
  await confirm.click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  await expect(admin.user('local:leslie')).rejects.toMatchObject({ code: 'user_not_found' })
  expect(pageErrors).toEqual([])
})

test('the last admin cannot delete the account, and sees the reason', async () => {
  const { page } = await open({ login: 'ada', password: 'correct horse battery' })
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Type your username').fill('ada')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
  await page.getByText('This is the last admin. Make another user an admin first.').waitFor()
})

test('features that the server has disabled are not offered', async () => {
  await using cleanup = new AsyncDisposableStack()
  const strict = await startServer({ ...withAccounts, FEATURE_DELETE_ACCOUNT: 'disabled' })
  cleanup.defer(strict.stop)
  const { page } = await visit(browser, strict.url)
  await logIn(page, strict.url)
  await page.goto(`${strict.url}/#/home/account`)
  await page.getByText('Active sessions').waitFor()
  expect(await page.getByRole('button', { name: 'Delete my account' }).count()).toBe(0)
})
