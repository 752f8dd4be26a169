import { randomBytes } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encrypted } from '../support/encryption/age.ts'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { downloadLink, passphrase, uploadEncrypted } from '../support/encryption/encrypted-upload.ts'
import { downloaded, opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  // Everything must work below a prefix, too.
  ;[server, browser] = await Promise.all([startServer({ PATH: '/send' }), launch()])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

async function openOn(link: string): Promise<{ page: Page; pageErrors: readonly string[] }> {
  const visited = await visit(browser, server.url)
  await visited.page.goto(link)
  await opened(visited.page)
  return visited
}

test('a wrong passphrase is reported and asked for again, also for a one-shot file', async () => {
  const content = randomBytes(1000)
  const link = await uploadEncrypted(
    server.url,
    { 'once.bin': await encrypted(content, passphrase) },
    { oneShot: true },
  )
  const { page, pageErrors } = await openOn(link)
  await downloadLink(page).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  const field = page.getByRole('dialog', { name: 'Passphrase' }).getByLabel('Passphrase', { exact: true })
  await field.fill('wrong')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('Wrong passphrase.').waitFor()
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'encrypted-refused')
  await field.fill(passphrase)
  const got = await downloaded(page, () => page.getByRole('button', { name: 'Open', exact: true }).click())
  expect(got.bytes.equals(content)).toBe(true)
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('a user who cancels after a wrong passphrase can enter another one', async () => {
  const content = randomBytes(1000)
  const { page, pageErrors } = await openOn(
    await uploadEncrypted(server.url, { 'a.bin': await encrypted(content, passphrase) }),
  )
  const dialog = page.getByRole('dialog', { name: 'Passphrase' })
  const field = dialog.getByLabel('Passphrase', { exact: true })
  await downloadLink(page).click()
  await field.fill('wrong')
  await page.keyboard.press('Enter')
  await page.getByText('Wrong passphrase.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Enter passphrase' }).click()
  await field.fill(passphrase)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  const got = await downloaded(page, () => downloadLink(page).click())
  expect(got.bytes.equals(content)).toBe(true)
  expect(await page.getByRole('button', { name: 'Enter passphrase' }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})
