import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const terminal = () => createClient({ baseURL: server.url })
const codeField = (page: Page) => page.getByLabel('Code from the terminal')
const type = (page: Page, code: string) => codeField(page).fill(code)

test('a user approves a terminal in the browser, and the terminal acts for the user', async () => {
  const started = await terminal().startCliLogin({ hostname: 'laptop' })
  expect(await terminal().pollCliLogin(started)).toEqual({ status: 'pending' })

  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(started.verifyURL)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await enter(page, admin)
  await page.getByRole('heading', { name: 'Connect a command line' }).waitFor()
  await type(page, started.code)
  await page.getByText('laptop', { exact: true }).waitFor()
  await page.getByText('127.0.0.1', { exact: true }).waitFor()
  await page.getByLabel('Name (optional)').fill('my laptop')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  await page.getByText('You can close this page and return to the terminal.').waitFor()

  const { status, token } = await terminal().pollCliLogin(started)
  expect(status).toBe('approved')
  const { id } = await createClient({ baseURL: server.url, userToken: token }).createUpload()
  const sdk = await signedIn(server.url)
  expect((await sdk.myUploads()).results.map((upload) => upload.id)).toEqual([id])
  expect((await sdk.myTokens()).results.map(({ comment }) => comment)).toEqual(['my laptop'])
  await expect(terminal().pollCliLogin(started)).rejects.toMatchObject({ status: 404 })
  expect(pageErrors).toEqual([])
})

test('the code is accepted as the terminal shows it, or without its dash', async () => {
  const started = await terminal().startCliLogin({ hostname: 'desktop' })
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/cli-auth`)
  const field = page.getByLabel('Code from the terminal')
  await field.pressSequentially(started.code.replace('-', '').toLowerCase())
  await expect.poll(() => field.inputValue()).toBe(started.code)
  await page.getByText('desktop', { exact: true }).waitFor()
  await field.press('Enter')
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
  expect(await terminal().pollCliLogin(started)).toMatchObject({ status: 'approved' })
})

test('letters in the middle of a code can be edited', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/cli-auth`)
  const field = page.getByLabel('Code from the terminal')
  await field.pressSequentially('abcd-efgh')
  for (let steps = 0; steps < 6; steps += 1) await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('z')
  await expect.poll(() => field.inputValue()).toBe('ABZD-EFGH')
  await page.keyboard.press('End')
  for (let steps = 0; steps < 4; steps += 1) await page.keyboard.press('Backspace')
  await expect.poll(() => field.inputValue()).toBe('ABZD')
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
})

test('an unknown code is reported, and another one can be typed', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/cli-auth`)
  await type(page, 'QQQQ-QQQQ')
  await page.getByText('This code is unknown, already used, or older than five minutes.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  const started = await terminal().startCliLogin()
  await type(page, started.code)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
})

test('a link alone approves nothing: the code must be typed', async () => {
  const started = await terminal().startCliLogin()
  const { page } = await visit(browser, server.url)
  const changes: string[] = []
  await logIn(page, server.url)
  page.on('request', (request) => {
    if (request.method() !== 'GET') changes.push(request.url())
  })
  await page.goto(started.verifyURL)
  await codeField(page).waitFor()
  await expect.poll(() => codeField(page).inputValue()).toBe('')
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true)
  expect(changes).toEqual([])
  expect(await terminal().pollCliLogin(started)).toEqual({ status: 'pending' })
})

test('a session that ends before the approval leads to the login and back', async () => {
  const started = await terminal().startCliLogin()
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(started.verifyURL)
  await type(page, started.code)
  const sdk = await signedIn(server.url)
  for (const { id, current } of await sdk.mySessions()) if (!current) await sdk.revokeMySession(id)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByText('Your session has expired.').waitFor()
  await enter(page, admin)
  await menu(page).waitFor()
  await type(page, started.code)
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'Approved' }).waitFor()
})

test('too many wrong codes are reported', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/cli-auth`)
  const message = page.getByRole('alert')
  for (let attempts = 0; attempts < 12; attempts += 1) {
    const responded = page.waitForResponse(/\/auth\/cli\/describe$/)
    await type(page, '')
    await type(page, 'ZZZZ-ZZZZ')
    await responded
    await message.waitFor()
  }
  await expect.poll(() => message.textContent()).toMatch(/Too many attempts\. Try again in \d minutes?\./)
})
