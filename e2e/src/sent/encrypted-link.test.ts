import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, openOptions, opened, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** @returns the full link of an encrypted upload, whose page is shown */
async function sendEncrypted(page: Page): Promise<string> {
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('secret') }])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  const link = await send(page)
  expect(link).toContain('#key=')
  return link
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without copying the link?' })
const leave = (page: Page) =>
  page.evaluate(() => {
    location.hash = '#/clients'
  })
const elsewhere = (page: Page) => page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
const list = (page: Page) => page.getByRole('list', { name: 'Sent from this device' })
const stored = (page: Page) => page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))

/** Closes the page. Resolves to whether the browser asked first. */
async function closes(page: Page): Promise<boolean> {
  let asked = false
  page.on('dialog', (dialog) => {
    asked = true
    void dialog.accept()
  })
  const closed = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await closed
  return asked
}

test('leaving before the link of encrypted files was copied asks first', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  // A browser that blocks the clipboard.
  await page.addInitScript(() => {
    Object.assign(navigator.clipboard, {
      writeText: () => Promise.reject(new DOMException('', 'NotAllowedError')),
    })
    Object.assign(document, { execCommand: () => false })
  })
  const link = await sendEncrypted(page)
  await leave(page)
  await question(page).waitFor()
  await checkState(page, 'leave-uncopied')
  await question(page).getByRole('button', { name: 'Copy link' }).click()
  await question(page).getByRole('alert').getByText('The link could not be copied').waitFor()
  await question(page).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await question(page).getByRole('button', { name: 'Close' }).click()
  // The address of the upload's page has the key.
  await page.getByRole('link', { name: 'Open page' }).click()
  await page.getByRole('heading', { name: 'A file for you' }).waitFor()
  expect(page.url()).toBe(link)
  expect(pageErrors).toEqual([])
})

test('the question before leaving copies the link', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const link = await sendEncrypted(page)
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await question(page).getByText('The passphrase is only in the link and is not saved anywhere.').waitFor()
  await question(page).getByRole('button', { name: 'Copy link' }).click()
  await list(page).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  expect(pageErrors).toEqual([])
})

test('closing the page before the link was copied asks first, and afterwards it does not', async () => {
  const { page, context } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await sendEncrypted(page)
  const other = await context.newPage()
  await sendEncrypted(other)
  await other.getByRole('button', { name: 'Copy link' }).click()
  await other.getByRole('button', { name: 'Copied' }).waitFor()
  expect([await closes(page), await closes(other)]).toEqual([true, false])
})

test('the passphrase is kept on the device only where the sender says so', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const link = await sendEncrypted(page)
  const key = link.split('#key=')[1] ?? ''
  expect(await stored(page)).not.toContain(key)
  await page.getByRole('switch', { name: 'Keep the passphrase on this device' }).click()
  expect(await stored(page)).toContain(key)
  await checkState(page, 'key-kept')
  await leave(page)
  await elsewhere(page)
  await page.goto(`${server.url}/#/`)
  await page.reload()
  await list(page).getByText('The passphrase is kept on this device.').waitFor()
  await expect
    .poll(() => list(page).getByRole('link', { name: 'a.txt' }).getAttribute('href'))
    .toContain(`#key=${key}`)
  expect(pageErrors).toEqual([])
})

test('an entry says that its passphrase was not kept', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const link = await sendEncrypted(page)
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await question(page).getByRole('button', { name: 'Leave without it' }).click()
  await list(page).getByText('The passphrase is kept only until you close or reload this page.').waitFor()
  expect(await stored(page)).not.toContain(link.split('#key=')[1])
  await page.reload()
  await opened(page)
  await list(page).getByText('The passphrase was not kept here.').waitFor()
  expect(await list(page).getByRole('link', { name: 'a.txt' }).getAttribute('href')).not.toContain('#key')
  await checkState(page, 'key-not-kept')
  expect(pageErrors).toEqual([])
})
