import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withMail } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { startMailServer, type MailServer } from '../support/services/mail-server.ts'
import { checkState, expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
let mail: MailServer

beforeAll(async () => {
  mail = await startMailServer()
  ;[server, browser] = await Promise.all([startServer(withMail(mail.port)), launch()])
})
afterAll(async () => {
  await Promise.all([server.stop(), browser.close()])
  mail.close()
})

test('an address is entered in the profile, confirmed with a code, and gets the chosen events', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/home/notifications`)
  const part = page.getByRole('region', { name: 'Email' })
  await part.getByText('Your profile has no email address.').waitFor()
  await checkState(page, 'email-no-address')
  await part.getByRole('link', { name: 'Add an address' }).click()
  await page.getByLabel('Email address').fill('ada@mail.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('main').getByText('Saved').waitFor()
  await page.getByRole('link', { name: 'Notifications' }).click()
  await part.getByText('ada@mail.example is not confirmed yet.').waitFor()
  // A code may have been requested on another device.
  await part.getByLabel('Code from the email').waitFor()
  const before = await part.getByRole('button').or(part.getByRole('textbox')).allTextContents()
  expect(before.map((words) => words.trim())).toEqual(['Send code', '', 'Confirm'])
  await part.getByRole('button', { name: 'Send code' }).click()
  await part.getByText('A code is on its way to ada@mail.example.').waitFor()
  await expectFocus(part.getByLabel('Code from the email'))
  await checkState(page, 'email-code')
  await part.getByLabel('Code from the email').fill('wrong')
  await part.getByRole('button', { name: 'Confirm' }).click()
  await part.getByRole('alert').waitFor()
  await expectFocus(part.getByRole('button', { name: 'Confirm' }))
  await checkState(page, 'email-wrong-code')
  const message = await mail.first
  const [code = ''] = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(message) ?? []
  await page.reload()
  await part.getByLabel('Code from the email').fill(code)
  await part.getByRole('button', { name: 'Confirm' }).click()
  await expectFocus(part.getByText('Messages go to ada@mail.example.'))
  await part.getByRole('checkbox', { name: 'An upload that expires within a day' }).check()
  await part.getByRole('button', { name: 'Save' }).click()
  await part.getByText('Saved').waitFor()
  await checkState(page, 'email-confirmed')
  const sdk = await signedIn(server.url)
  expect((await sdk.myNotifications()).email).toMatchObject({ confirmed: true, events: ['upload.expiring'] })

  // Another address gets nothing until it is confirmed.
  await page.goto(`${server.url}/#/home/account`)
  await page.getByLabel('Email address').fill('grace@mail.example')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByText('grace@mail.example is not confirmed yet.').waitFor()
  await checkState(page, 'email-changed')
  await page.getByRole('main').getByRole('link', { name: 'Notifications' }).last().click()
  await part.getByLabel('Code from the email').waitFor()
  expect(pageErrors).toEqual([])
})
