import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encrypted } from '../support/encryption/age.ts'
import { launch, visit } from '../support/browser.ts'
import { passphrase, uploadEncrypted, downloadLink } from '../support/encryption/encrypted-upload.ts'
import { expire } from '../support/expire.ts'
import { downloaded } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ DEFAULT_TTL_STR: '1h' }), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a file whose upload expires while it is decrypted is saved completely', async () => {
  const content = randomBytes(20_000_000)
  const link = await uploadEncrypted(server.url, { 'late.bin': await encrypted(content, passphrase) })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.clock.install()
  await page.goto(link)
  await downloadLink(page).click()
  const dialog = page.getByRole('dialog', { name: 'Passphrase' })
  await dialog.waitFor()
  expire(server, /id=(\w+)/.exec(link)?.[1] ?? '')
  const responded = page.waitForResponse(/\/upload\//)
  await page.clock.fastForward('01:00:10')
  expect((await responded).status()).toBe(404)
  await dialog.getByLabel('Passphrase', { exact: true }).fill(passphrase)
  const got = await downloaded(page, () => dialog.getByRole('button', { name: 'Open', exact: true }).click())
  expect(got.bytes.equals(content)).toBe(true)
  await page.getByText('Decrypted and saved.').waitFor()
  // Back from another tab, the page reloads the upload.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  expect(pageErrors).toEqual([])
})
