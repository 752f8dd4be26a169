import { randomBytes } from 'node:crypto'
import { manifestName } from '@svc/contract'
import { createClient, type Client } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMaliciousServer, type MaliciousServer } from '../../../scripts/test-servers/malicious-server.ts'
import { launch, visit } from '../support/browser.ts'
import { startConnectionProxy, type ConnectionProxy } from '../support/services/connection-proxy.ts'
import { beMalicious, fileOf } from '../support/encryption/malice.ts'
import { installSvc, type Svc } from '../support/encryption/svc.ts'
import {
  chooseEncrypted,
  markedLink,
  refuseManifest,
  textFile,
} from '../support/encryption/encrypted-sending.ts'
import { downloaded, listedNames, send, sendButton, shareLink } from '../support/page-actions.ts'
import { pageChecker } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, uploadIdOf } from '../support/uploads.ts'

// The page sends encrypted files with their manifest, which the page and svc verify.

let server: StartedServer
let browser: Browser
let proxy: ConnectionProxy
let malicious: MaliciousServer
let sdk: Client
let svc: Svc

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ MAX_FILE_PER_UPLOAD: '6' }), launch()])
  ;[proxy, malicious, svc] = await Promise.all([
    startConnectionProxy(server.url),
    startMaliciousServer(server.url),
    installSvc(server.url),
  ])
  sdk = createClient({ baseURL: server.url })
})
afterEach(() => {
  proxy.restore()
  malicious.be({})
})
afterAll(async () => {
  await browser.close()
  await Promise.all([proxy.stop(), malicious.close()])
  await Promise.all([server.stop(), svc.remove()])
})

const listed = async (link: string) => {
  const { files } = await sdk.upload(uploadIdOf(link))
  return files.map(({ fileName, status }) => `${fileName} ${status}`).toSorted()
}
test('several files have a manifest, which svc verifies; a swap is noticed by svc and by the page', async () => {
  const large = randomBytes(20_000_000)
  const { page, pageErrors } = await visit(browser, server.url)
  const picked = [
    textFile('a.txt'),
    textFile('b.txt'),
    textFile('empty.txt', ''),
    { name: 'large.bin', bytes: large },
  ]
  // The name of the manifest is reserved.
  await chooseEncrypted(page, server.url, [...picked, textFile(manifestName)])
  const link = await send(page)
  expect(link).toMatch(markedLink)
  const names = ['a.txt', 'b.txt', 'empty.txt', 'large.bin', 'svc-manifest.age']
  expect(await listed(link)).toEqual([manifestName, ...names].map((name) => `${name} uploaded`))
  expect((await listedNames(page)).toSorted()).toEqual(names)

  const got = await svc.get(link)
  expect(got).toMatchObject({ status: 0, names })
  expect(got.stderr).not.toContain('not verified')
  expect((await got.read('large.bin')).equals(large)).toBe(true)
  expect((await got.read('empty.txt')).length).toBe(0)

  const upload = await sdk.upload(uploadIdOf(link))
  const swapped = (id: string) =>
    fileOf(upload, { [fileOf(upload, 'a.txt').id]: 'b.txt', [fileOf(upload, 'b.txt').id]: 'a.txt' }[id] ?? id)
  malicious.be({ file: swapped })
  expect(await svc.get(link, malicious.url)).toMatchObject({
    status: 6,
    names: ['empty.txt', 'large.bin', 'svc-manifest.age'],
  })
  const recipient = await visit(browser, server.url)
  await beMalicious(recipient.page, { file: swapped })
  await recipient.page.goto(link)
  await recipient.page.getByRole('link', { name: 'Download a.txt', exact: true }).click()
  await recipient.page
    .getByRole('alert')
    .filter({ hasText: 'The content is not the one that was sent' })
    .waitFor()

  // The links of the list keep the mark, and no list shows the manifest.
  await page.goto(`${server.url}/#/sent`)
  await page.getByRole('button', { name: 'Leave without it' }).click()
  await page.getByText('and 4 more files').waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy link to a.txt' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await page.getByRole('link', { name: 'a.txt' }).click()
  await page.getByText('Recipients cannot use files that are added now').waitFor()
  expect(await page.getByText(manifestName).count()).toBe(0)
  expect(await page.getByRole('region', { name: 'Add files' }).count()).toBe(0)
  expect([...pageErrors, ...recipient.pageErrors]).toEqual([])
})

test('one file has a manifest, too', async () => {
  const { page } = await visit(browser, server.url)
  await chooseEncrypted(page, server.url, [textFile('a.txt')])
  const link = await send(page)
  expect(link).toMatch(markedLink)
  expect(await svc.get(link)).toMatchObject({ status: 0, names: ['a.txt'] })
})

test('the manifest takes one of the places of an upload', async () => {
  const { page } = await visit(browser, server.url)
  await chooseEncrypted(
    page,
    server.url,
    ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => textFile(name)),
  )
  await page.getByText('Not uploaded: the limit is 5 files per link.').waitFor()
  expect(await listed(await send(page))).toHaveLength(6)
})

test('before all files have arrived, the link says so; a cancelled file is not in the manifest', async () => {
  const { page } = await visit(browser, proxy.url)
  await chooseEncrypted(page, proxy.url, [
    textFile('a.txt'),
    { name: 'big.bin', bytes: randomBytes(20_000_000) },
  ])
  const stalled = proxy.stall(12_000_000)
  await sendButton(page).click()
  await stalled
  const link = await shareLink(page)
  expect(link).toMatch(markedLink)
  await page.getByText('Recipients can use the files when all of them are uploaded').waitFor()
  const early = await svc.get(link)
  expect(early).toMatchObject({ status: 1, names: [] })
  expect(early.stderr).toContain('the upload is not finished')
  const recipient = await visit(browser, server.url)
  await recipient.page.goto(link.replace(proxy.url, server.url))
  await recipient.page.getByText('You can use the files as soon as the sender’s list').waitFor()
  expect(await recipient.page.getByRole('alert').count()).toBe(0)

  // Before the connection continues: the rest of the file could arrive first.
  await page.getByRole('button', { name: 'Cancel big.bin' }).click()
  proxy.restore()
  await page.getByRole('button', { name: 'Upload more files' }).waitFor()
  // A file that is sent now would be refused.
  expect(await page.getByRole('button', { name: /^Retry|^Try again|^Upload after all/ }).count()).toBe(0)
  expect(await svc.get(link)).toMatchObject({ status: 0, names: ['a.txt'] })
  await recipient.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const got = await downloaded(recipient.page, () =>
    // The only file that is left has a large button.
    recipient.page.getByRole('link', { name: /^Download(?: a\.txt)?$/ }).click(),
  )
  expect(got.bytes.toString()).toBe('content of a.txt')
  expect([...recipient.pageErrors]).toEqual([])
})

test('a manifest that is not sent is reported; the sender tries again, or shares the files without it', async () => {
  const { page } = await visit(browser, server.url)
  const { checkViews, problems } = pageChecker(page, 'manifest')
  for (const way of ['again', 'without'] as const) {
    const allow = await refuseManifest(page)
    await chooseEncrypted(page, server.url, [textFile('a.txt'), textFile('b.txt')])
    await sendButton(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Recipients cannot use the files yet' })
    await alert.waitFor()
    await page.getByRole('heading', { name: 'This upload is incomplete' }).waitFor()
    // As wide as the columns below it.
    expect((await alert.boundingBox())?.x).toBe(
      (await page.getByRole('region', { name: 'Files' }).boundingBox())?.x,
    )
    if (way === 'again') await checkViews('failed')
    const link = await shareLink(page)
    expect(await svc.get(link)).toMatchObject({ status: 1, names: [] })
    await allow()
    if (way === 'again') {
      await alert.getByRole('button', { name: 'Try again' }).click()
      await alert.waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
      expect(await svc.get(link)).toMatchObject({ status: 0, names: ['a.txt', 'b.txt'] })
      await page.getByRole('button', { name: 'Upload more files' }).click()
      await page.getByRole('button', { name: 'Leave without it' }).click()
    } else {
      await alert.getByRole('button', { name: 'Share without the list' }).click()
      await page.getByText('Copy the link again').waitFor()
      const unmarked = await shareLink(page)
      expect(unmarked).toMatch(/#\/\?id=\w+#key=[\w-]+$/)
      expect(await svc.get(unmarked)).toMatchObject({ status: 0, names: ['a.txt', 'b.txt'] })
      expect(await svc.get(link)).toMatchObject({ status: 6, names: [] })
    }
  }
  expect(problems).toEqual([])
})

test('an upload that is deleted without its manifest neither asks before leaving nor sends it', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await refuseManifest(page)
  let manifests = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(manifestName)) manifests += 1
  })
  await chooseEncrypted(page, server.url, [textFile('a.txt')])
  await sendButton(page).click()
  await page.getByRole('alert').filter({ hasText: 'Recipients cannot use the files yet' }).waitFor()
  const sent = manifests
  await page.getByRole('button', { name: 'Delete upload' }).click()
  await clickInDialog(page, 'Delete')
  await page.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await page.getByRole('heading', { name: 'Other ways to upload' }).waitFor()
  expect(manifests).toBe(sent)
  expect(pageErrors).toEqual([])
})

test('a file that fails can be left out, and one that was deleted meanwhile is named', async () => {
  const { page } = await visit(browser, server.url)
  const { checkViews, problems } = pageChecker(page, 'manifest')
  await chooseEncrypted(page, server.url, [textFile('a.txt'), textFile('b.txt'), textFile('c.txt')])
  let sending = 0
  await page.route(/\/tus\/\w+/, async (route) => {
    if (route.request().method() !== 'POST' || (sending += 1) !== 3) return route.fallback()
    return route.fulfill({ status: 403, json: { code: 'quota_exceeded', message: 'the quota is used up' } })
  })
  await sendButton(page).click()
  const leaveOut = page.getByRole('button', { name: 'Leave out' })
  await leaveOut.waitFor()
  await checkViews('undecided')
  const link = await shareLink(page)
  const upload = await sdk.upload(uploadIdOf(link))
  const [first, ...others] = upload.files.filter(({ status }) => status === 'uploaded')
  if (first === undefined) throw new Error('nothing was sent')
  const [stored = ''] = others.map(({ fileName }) => fileName)
  await page.evaluate(
    async ([id, fileID, name]) => {
      const key = Object.keys(localStorage).find((item) => item.startsWith('svc-sent ')) ?? ''
      const { uploadToken } = JSON.parse(localStorage.getItem(key) ?? '{}') as { uploadToken: string }
      const headers = { 'X-UploadToken': uploadToken }
      await fetch(`file/${id}/${fileID}/${name}`, { method: 'DELETE', headers })
    },
    [upload.id, first.id, first.fileName] as const,
  )
  await leaveOut.click()
  await page.getByText('The server no longer has these files').waitFor()
  await expect.poll(() => page.getByRole('alert').getByText(first.fileName).count()).toBe(1)
  expect(await svc.get(link)).toMatchObject({ status: 0, names: [stored] })
  const recipient = await visit(browser, server.url)
  await recipient.page.goto(link)
  await recipient.page
    .getByRole('link', { name: /^Download/ })
    .first()
    .waitFor()
  expect(await recipient.page.getByRole('alert').count()).toBe(0)
  expect(problems).toEqual([])
})
