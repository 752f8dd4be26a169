import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { downloadLink, withPassphrase } from '../support/encryption/encrypted-upload.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a link with a key neither offers files that are not encrypted nor takes new ones', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const uploadToken = upload.uploadToken ?? ''
  await sdk.addFile(upload.id, new Blob(['replaced']), { fileName: 'a.txt', uploadToken })
  const link = sdk.pageURL(upload)
  const { page, pageErrors } = await visit(browser, server.url)
  const adding = page.getByRole('region', { name: 'Add files' })

  await page.goto(`${link}&uploadToken=${uploadToken}`)
  await Promise.all([downloadLink(page).waitFor(), adding.waitFor()])

  await page.goto(withPassphrase(link))
  await page.getByRole('alert').getByText('the link has a key').waitFor()
  expect([await downloadLink(page).count(), await adding.count()]).toEqual([0, 0])
  expect(pageErrors).toEqual([])
})
