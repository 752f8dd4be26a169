import { createClient } from '@svc/sdk'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, menu, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { flip, listedNames, openOptions, opened, pick, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const other: TestUser = { login: 'grace', password: 'correct horse battery' }

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ ...withAccounts, FEATURE_AUTHENTICATION: 'forced' }),
    launch(),
  ])
  await (await signedIn(server.url)).createUser({ provider: 'local', ...other })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

const editor = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

/** Prepares a draft: one picked file, one text in the editor, one-shot. */
async function fillDraft(page: Page): Promise<void> {
  await page.goto(`${server.url}/#/`)
  await opened(page)
  await pick(page, [{ name: 'picked.bin', bytes: Buffer.from('picked') }])
  await page.getByRole('button', { name: 'Write text' }).click()
  await editor(page).fill('an hour of work')
  await openOptions(page)
  await flip(page, 'One-time download')
}

/** Records the dialogs of the browser from now on, and accepts them. */
function dialogsOf(page: Page): readonly string[] {
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    void dialog.accept()
  })
  return dialogs
}

/** Ends a session without the page. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies(server.url)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await fetch(`${server.url}/auth/logout`, { headers: { cookie } })).status).toBe(200)
}

/** Tries to upload after the session has ended, and opens the login. */
async function sendTooLate(page: Page, context: BrowserContext): Promise<void> {
  await endSession(context)
  await sendButton(page).click()
  await page.getByRole('link', { name: 'Sign in again' }).click()
}

test('a draft remains when the user leaves the page and returns, until it is uploaded', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await fillDraft(page)
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  await page.goBack()
  await editor(page).getByText('an hour of work').waitFor()
  await checkState(page, 'unsent')
  const id = /id=(\w+)/.exec(await send(page))?.[1] ?? ''
  const { oneShot, files } = await (await signedIn(server.url)).upload(id)
  expect({ oneShot, names: files.map(({ fileName }) => fileName).toSorted() }).toEqual({
    oneShot: true,
    names: ['picked.bin', 'text.txt'],
  })
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  expect(await listedNames(page)).toEqual([])
  await openOptions(page)
  expect(await page.getByRole('switch', { name: 'One-time download' }).isChecked()).toBe(false)
  expect(pageErrors).toEqual([])
})

test('closing the window asks for confirmation while a draft would be lost', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await fillDraft(page)
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  const asked = page.waitForEvent('dialog')
  const kept = page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await kept
  await page.goBack()
  await send(page)
  const dialogs = dialogsOf(page)
  const removed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await removed
  expect(dialogs).toEqual([])
})

test('a logout asks for no confirmation, and discards the draft', async () => {
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await fillDraft(page)
  const dialogs = dialogsOf(page)
  await menu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await enter(page, admin)
  await opened(page)
  expect(await listedNames(page)).toEqual([])
  expect(dialogs).toEqual([])
})

test('a session that ends before the upload keeps the draft', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await fillDraft(page)
  await sendTooLate(page, context)
  await enter(page, admin)
  await page.getByText('picked.bin').waitFor()
  await page.getByText('text.txt').waitFor()
  const id = /id=(\w+)/.exec(await send(page))?.[1] ?? ''
  const upload = await createClient({ baseURL: server.url }).upload(id)
  expect({ oneShot: upload.oneShot, files: upload.files.length }).toEqual({ oneShot: true, files: 2 })
  expect(pageErrors).toEqual([])
})

test('another user who logs in gets nothing of the draft', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await fillDraft(page)
  await sendTooLate(page, context)
  await enter(page, other)
  await menu(page, other.login).waitFor()
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  expect(await listedNames(page)).toEqual([])
  expect(await sendButton(page).count()).toBe(0)
  expect(pageErrors).toEqual([])
})
