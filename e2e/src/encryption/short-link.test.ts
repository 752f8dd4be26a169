import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { encrypted } from '../support/encryption/age.ts'
import {
  downloadLink,
  passphrase,
  uploadEncrypted,
  withPassphrase,
} from '../support/encryption/encrypted-upload.ts'
import { downloaded } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ PATH: '/send' }), launch()])
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

/** The short link of an encrypted upload, without its key. */
async function shortLink(): Promise<string> {
  const link = await uploadEncrypted(server.url, {
    'a.txt': await encrypted(Buffer.from('content'), passphrase),
  })
  return `${server.url}/s/${uploadIdOf(link)}`
}

test('a short link opens the page, and takes along the key that no server sees', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(withPassphrase(await shortLink()))
  const download = await downloaded(page, () => downloadLink(page).click())
  expect(download.bytes.toString()).toBe('content')
  expect(page.url()).toContain('/send/#/?id=')
  // "Back" does not lead to the redirect again.
  await page.goBack()
  expect(page.url()).not.toContain('/s/')
  expect(pageErrors).toEqual([])
})

test('without scripts, a short link leads to the page, too', async () => {
  const link = await shortLink()
  const { page } = await visit(browser, server.url, { javaScriptEnabled: false })
  await page.goto(link)
  await page.waitForURL(/\/send\/#\/\?id=/)
})
