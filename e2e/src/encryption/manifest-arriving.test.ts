import { createHash } from 'node:crypto'
import { manifestName, withKey } from '@svc/contract'
import { createPlainEngine, generatePassphrase, passphraseKey, encryptManifest } from '@svc/encryption'
import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { encrypted } from '../support/encryption/age.ts'
import { downloadLink } from '../support/encryption/encrypted-upload.ts'
import { downloaded } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** An upload whose manifest is declared, and that sends it. */
async function beginUpload() {
  const sdk = createClient({ baseURL: server.url })
  const passphrase = generatePassphrase()
  const upload = await sdk.createUpload({
    e2ee: 'age',
    files: [{ reference: 'manifest', fileName: manifestName }],
  })
  const { id, uploadToken, e2ee } = upload
  const content = Buffer.from('content of a')
  const bytes = new Blob([new Uint8Array(await encrypted(content, passphrase))])
  const file = await sdk.addFile(id, bytes, { fileName: 'a.txt', uploadToken, e2ee })
  const sendManifest = async () => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    const files = [{ id: file.id, name: 'a.txt', size: content.length, sha256 }]
    const manifest = await encryptManifest(
      { upload: id, files },
      passphraseKey(passphrase),
      createPlainEngine(),
    )
    const fileID = upload.files[0]?.id
    const source = new Blob([Uint8Array.from(manifest.bytes)])
    await sdk.addFile(id, source, { fileName: manifestName, fileID, uploadToken, e2ee })
  }
  const linkWith = (mark?: string) => withKey(sdk.pageURL(upload), passphrase, mark)
  const adminPage = sdk.pageURL(upload, { ...(uploadToken !== undefined && { uploadToken }) })
  return { linkWith, adminLink: withKey(adminPage, passphrase, '1'), sendManifest }
}

test('until the manifest has arrived, the files of a link with its mark wait', async () => {
  const { linkWith, adminLink, sendManifest } = await beginUpload()
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(linkWith('1'))
  await page.getByText('You can use the files as soon as the sender’s list').waitFor()
  await page.getByText('Uploading…').waitFor()
  expect(await downloadLink(page).count()).toBe(0)
  await checkState(page, 'manifest-arriving')

  await sendManifest()
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const got = await downloaded(page, () => downloadLink(page).click())
  expect(got.bytes.toString()).toBe('content of a')

  // The sender adds no files that recipients would refuse.
  await page.goto(adminLink)
  await page.getByText('Recipients cannot use files that are added now').waitFor()
  expect(page.url()).toContain('manifest=1')
  expect(await page.getByRole('region', { name: 'Add files' }).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('without a mark, a manifest that never arrived changes nothing', async () => {
  const { linkWith } = await beginUpload()
  const { page } = await visit(browser, server.url)
  await page.goto(linkWith())
  const got = await downloaded(page, () => downloadLink(page).click())
  expect(got.bytes.toString()).toBe('content of a')
  expect(await page.getByRole('alert').count()).toBe(0)
})
