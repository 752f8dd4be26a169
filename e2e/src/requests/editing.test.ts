import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { expectOneWidth, pageChecker, screenshotTimeout, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog } from '../support/uploads.ts'
import { ask } from './asking.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const views: readonly View[] = [390, 820, 1440].flatMap((width) => [
  { width, colorScheme: 'light', axe: width === 1440 },
  { width, colorScheme: 'dark', axe: width === 390 },
])
const hostile = '<img src=x onerror=alert(1)> {{ 1 + 1 }} @:x | y'

test(
  'a guest edits the words, the limits and the password of a request',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const checker = pageChecker(page, 'request-edit', views)
    const link = await ask(page, server.url)
    const id = /id=(\w{16})/.exec(link)?.[1] ?? ''
    const sdk = createClient({ baseURL: server.url })
    await page.getByRole('button', { name: 'Edit request' }).click()
    const form = page.getByRole('form', { name: 'Edit request' })
    await form.getByLabel('What do you need?').fill('Reports')
    await form.getByLabel(/^Message/).fill('As **PDF**')
    await form.getByLabel('Maximum number of files').fill('5')
    await form.getByLabel('Maximum file size (MB)').fill('1.5')
    await form.getByLabel('File types').fill('.PDF')
    await form.getByLabel('Received files expire in').selectOption('1 hour')
    await form.getByLabel('Password').fill('hush')
    await form.getByRole('switch', { name: 'Only one upload' }).click()
    await checker.checkViews('form')
    await expectOneWidth(page, page.locator('main .card'))
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Reports' }).waitFor()
    await page.getByText('0 of 5 files').waitFor()
    await expect(sdk.openUploadRequest(id)).rejects.toMatchObject({ status: 401 })
    const access = { credentials: { login: 'svc', password: 'hush' } }
    expect(await sdk.openUploadRequest(id, access)).toMatchObject({
      title: 'Reports',
      message: 'As **PDF**',
      maxFiles: 5,
      maxFileSize: 1_500_000,
      extensions: ['pdf'],
    })

    await page.getByRole('button', { name: 'Edit request' }).click()
    await form.getByText('Leave empty to keep the password.').waitFor()
    await expect.poll(() => form.getByLabel('Maximum file size (MB)').inputValue()).toBe('1.5')
    await form.getByLabel('Maximum number of files').fill('')
    await form.getByRole('switch', { name: 'Remove password' }).click()
    await expect.poll(() => form.getByLabel('Password', { exact: true }).isDisabled()).toBe(true)
    await checker.checkViews('remove-password')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await sdk.openUploadRequest(id)).toMatchObject({ title: 'Reports', maxFiles: -1 })

    // Refused by the server: what was typed stays.
    await page.getByRole('button', { name: 'Edit request' }).click()
    await page.route('**/requests/*', async (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 507, json: { code: 'no_space', message: 'full' } })
        : route.continue(),
    )
    await form.getByLabel('What do you need?').fill(hostile)
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
    await expect.poll(() => form.getByLabel('What do you need?').inputValue()).toBe(hostile)
    await page.unroute('**/requests/*')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: hostile, exact: true }).waitFor()
    // The list of the browser has the new title, also after the request has ended.
    await page.goto(`${server.url}/#/requests`)
    await page.getByRole('link', { name: hostile, exact: true }).waitFor()
    expect((await sdk.sendToUploadRequest(id)).ttl).toBe(3600)
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('an admin sees the requests of everyone, and deletes one', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const checker = pageChecker(page, 'admin-requests', views)
  const guest = createClient({ baseURL: server.url })
  const sdk = await signedIn(server.url)
  for (const { id } of (await sdk.uploadRequests({ all: true })).results) await sdk.removeUploadRequest(id)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/admin/stats`)
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByText('There are no requests.').waitFor()
  await checker.checkViews('none')

  await guest.createUploadRequest({ title: hostile, ttl: 86_400 })
  const closed = await sdk.createUploadRequest({ title: 'Photos of the party'.repeat(8) })
  await sdk.updateUploadRequest(closed.id, { closed: true })
  const made = await guest.createUploadRequest({ title: 'Reports', maxFiles: 1 })
  const sent = await guest.sendToUploadRequest(made.id)
  await guest.addFile(sent.id, new Blob(['x'.repeat(2000)]), {
    fileName: 'a.pdf',
    uploadToken: sent.uploadToken,
  })
  await page.reload()
  const row = (title: string) => page.getByRole('listitem').filter({ hasText: title })
  await row('Reports')
    .getByText(/Uploads: 1 · 2 kB/)
    .waitFor()
  await row('Photos')
    .getByText(/Closed/)
    .waitFor()
  await row('Photos').getByRole('link', { name: 'ada', exact: true }).waitFor()
  await row(hostile).getByText(/Guest/).waitFor()
  await checker.checkViews('list')
  await page.getByRole('button', { name: `Delete ${hostile}` }).click()
  await clickInDialog(page, 'Delete')
  await row(hostile).waitFor({ state: 'detached' })
  const left = (await sdk.uploadRequests({ all: true })).results.map(({ title }) => title)
  expect(left).not.toContain(hostile)
  expect(left).toHaveLength(2)
  expect([...checker.problems, ...pageErrors]).toEqual([])
})
