import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, signedIn, withMail } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startMailServer, type MailServer } from '../support/services/mail-server.ts'
import { choose, flip, openOptions, send } from '../support/page-actions.ts'
import { checkState, expectFocus, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  ;[server, browser] = await Promise.all([
    startServer({
      ...withMail(mail.port),
      FEATURE_MAIL: 'enabled',
      MAILS_PER_USER: '4',
    }),
    launch(),
  ])
})
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()])
  mail.close()
})

/** The text that describes a field to screen readers. */
const described = (field: Locator) =>
  field.evaluate(
    (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
  )

const picked = [{ name: 'report.pdf', bytes: Buffer.from('content') }]

test('the owner of an upload sends its link by email, and sees to whom, or why not', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  const link = await send(page)
  await page.getByRole('button', { name: 'Send by email' }).click()
  const addresses = page.getByLabel('Email addresses')
  const submit = page.getByRole('button', { name: 'Send email' })
  await addresses.fill('eve@x.example, bob')
  await submit.click()
  await page.getByText('bob is not an email address.').waitFor()
  await expectFocus(addresses)
  expect([await addresses.getAttribute('aria-invalid'), await described(addresses)]).toEqual([
    'true',
    'bob is not an email address.',
  ])
  await checkState(page, 'mail-wrong-address')
  await addresses.fill('eve@x.example\nbob@y.example')
  await page.getByLabel('Message (optional)').fill('The figures for May')
  await submit.click()
  await page.getByText('The link is on its way to eve@x.example, bob@y.example.').waitFor()
  await expectFocus(submit)
  await checkState(page, 'mail-sent')
  const message = await mail.first
  expect(message).toContain('> The figures for May')
  await expect.poll(() => addresses.inputValue()).toBe('')

  await page.goto(link)
  await page.getByRole('button', { name: 'Send by email' }).click()
  await addresses.fill('a@x.example b@x.example c@x.example')
  await submit.click()
  await page
    .getByText('Your account cannot send to this many addresses today. Try fewer, or try again tomorrow.')
    .waitFor()
  await expectFocus(submit)
  await checkState(page, 'mail-limit')
  expect(pageErrors).toEqual([])
})

test('an email that is written when the session ends can be sent after signing in again, also after a reload', async () => {
  const { context, page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  await page.goto(await send(page))
  await page.getByRole('button', { name: 'Send by email' }).click()
  const addresses = page.getByLabel('Email addresses')
  await addresses.fill('carol@x.example')
  await page.reload()
  await expect.poll(() => addresses.inputValue()).toBe('carol@x.example')
  await page.getByLabel('Message (optional)').fill('The figures for June')
  const cookies = await context.cookies(server.url)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  await fetch(`${server.url}/auth/logout`, { headers: { cookie } })
  await page.getByRole('button', { name: 'Send email' }).click()
  const form = page.locator('.mail form')
  await form.getByText('Your session has expired.').waitFor()
  await expect.poll(() => addresses.inputValue()).toBe('carol@x.example')
  await checkState(page, 'mail-session-ended')
  await form.getByRole('link', { name: 'Sign in again' }).click()
  await enter(page, admin)
  await page.getByLabel('Message (optional)').waitFor()
  await expect.poll(() => page.getByLabel('Message (optional)').inputValue()).toBe('The figures for June')
  await page.getByRole('button', { name: 'Send email' }).click()
  await page.getByText('The link is on its way to carol@x.example.').waitFor()
  await expect.poll(() => addresses.inputValue()).toBe('')
  expect(pageErrors).toEqual([])
})

test('the link of an upload without downloads left is neither mailed nor copied', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  const sdk = await signedIn(server.url)
  const upload = await sdk.createUpload({ maxDownloads: 2 })
  const { id, uploadToken } = upload
  const file = await sdk.addFile(id, new Blob(['content']), { fileName: 'twice.txt', uploadToken })
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('button', { name: 'Send by email' }).waitFor()
  for (let count = 0; count < 2; count += 1)
    await (await fetch(`${server.url}/file/${id}/${file.id}/twice.txt`)).text()
  await page.getByRole('heading', { name: 'No downloads left' }).waitFor()
  expect(await page.getByRole('button', { name: 'Send by email' }).count()).toBe(0)
  await page.goto(`${server.url}/#/home/uploads`)
  const row = page.getByRole('listitem').filter({ hasText: 'twice.txt' })
  await row.getByText('No downloads left').waitFor()
  expect(await row.getByText(/Expires in|0 bytes/).count()).toBe(0)
  expect(await row.getByRole('button', { name: /Copy/ }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('guests and senders of encrypted files have no email form', async () => {
  const { page: guest } = await visit(browser, server.url)
  await choose(guest, server.url, picked)
  await send(guest)
  const { page } = await visit(browser, server.url)
  await logIn(page, server.url)
  await choose(page, server.url, picked)
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await send(page)
  for (const visitor of [guest, page]) {
    await visitor.getByRole('button', { name: 'Delete upload' }).waitFor()
    await visitor.waitForLoadState('networkidle')
    expect(await visitor.getByRole('button', { name: 'Send by email' }).count()).toBe(0)
  }
})

test.for(['ar', 'de', 'ja', 'ru'])(
  'the email form fits a phone and a desktop in %s',
  { timeout: screenshotTimeout },
  async (locale) => {
    const { context, page: english } = await visit(browser, server.url)
    await logIn(english, server.url)
    await choose(english, server.url, picked)
    const link = await send(english)
    const storageState = await context.storageState()
    const { page, pageErrors } = await visit(browser, server.url, { locale, storageState })
    const checker = pageChecker(page, `mail-${locale}`, [
      { width: 360, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark', axe: true },
    ])
    await page.goto(link)
    await page.locator('.mail [aria-expanded]').click()
    await page.locator('.mail form button').click()
    await page.locator('.mail [role=alert]').waitFor()
    await checker.checkViews('open')
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)
