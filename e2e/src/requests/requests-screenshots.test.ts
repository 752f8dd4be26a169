import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened, pick, sendButton } from '../support/page-actions.ts'
import { pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, phone, picked, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test(
  'a protected request with limits asks for the password and the name, and refuses other files',
  { timeout: screenshotTimeout },
  async () => {
    const sdk = createClient({ baseURL: server.url })
    const request = await sdk.createUploadRequest({
      title: 'Reports of a very long year, with all that belongs to them',
      message: '# Please\n\n- as PDF\n- <script>alert(1)</script>[link](https://example.org)',
      password: 'hush',
      senderName: 'required',
      extensions: ['pdf'],
      maxFiles: 3,
      maxFileSize: 1000,
      maxSize: 2000,
    })
    const { page, pageErrors } = await visit(browser, server.url, phone)
    const checker = pageChecker(page, 'request')
    await page.goto(sdk.requestURL(request))
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong password.').waitFor()
    await checker.checkViews('password')
    await page.getByLabel('Password').fill('hush')
    await page.keyboard.press('Enter')
    await page.getByTestId('comments').waitFor()
    await checker.checkViews('start')
    await pick(page, [...picked, { name: 'large.pdf', bytes: Buffer.alloc(1001) }])
    await page.getByText('Enter your name.').waitFor()
    await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await checker.checkViews('chosen')
    await sendButton(page).click()
    await page.getByRole('button', { name: 'Save receipt' }).waitFor()
    await checker.checkViews('sent')
    await expect.poll(() => page.getByText('Only these kinds of files: .pdf').count()).toBe(1)
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('the pages of an owner fit their windows', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const checker = pageChecker(page, 'requests')
  await page.goto(`${server.url}/#/requests`)
  await opened(page)
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('switch', { name: 'Only one upload' }).waitFor()
  await checker.checkViews('form')
  const link = await ask(page, server.url)
  await checker.checkViews('made')
  await sendAs(browser, 'Ada Lovelace', link)
  await page.reload()
  await received(page).waitFor()
  await checker.checkViews('inbox')
  await page.goto(`${server.url}/#/requests`)
  await page.getByText('Uploads: 1').waitFor()
  await checker.checkViews('list')
  expect([...checker.problems, ...pageErrors]).toEqual([])
})

test.for(['ar', 'de', 'fr', 'ja', 'he', 'ru'])(
  'the pages of requests fit a phone and a desktop in %s',
  { timeout: screenshotTimeout },
  async (locale) => {
    const sdk = createClient({ baseURL: server.url })
    const request = await sdk.createUploadRequest({ title: 'Photos', senderName: 'required', maxFiles: 9 })
    const { page, pageErrors } = await visit(browser, server.url, { locale })
    const checker = pageChecker(page, `request-${locale}`, [
      { width: 360, colorScheme: 'light' },
      { width: 1280, colorScheme: 'dark', axe: true },
    ])
    await page.goto(sdk.requestURL(request))
    await page.locator('.about').waitFor()
    await pick(page, picked)
    await page.locator('.send').waitFor()
    await page.getByRole('listitem').first().waitFor()
    await checker.checkViews('chosen')
    await page.locator('.about input').fill('Ada')
    await page.locator('.send .primary').click()
    await page.locator('.receipt .lines').waitFor()
    await checker.checkViews('sent')
    await page.goto(`${server.url}/#/requests`)
    await page.locator('.make .disclosure').click()
    await page.locator('.more-fields').waitFor()
    await checker.checkViews('form')
    await page.locator('.make input').first().fill('Photos')
    await page.locator('.make .primary').click()
    await page.locator('.keep').waitFor()
    await checker.checkViews('made')
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)
