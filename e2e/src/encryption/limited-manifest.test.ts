import { manifestName, type Upload } from '@svc/contract'
import { createClient, type Client } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { chooseEncrypted, markedLink, textFile } from '../support/encryption/encrypted-sending.ts'
import { beMalicious, fileOf, type Malice } from '../support/encryption/malice.ts'
import { installSvc, type Svc } from '../support/encryption/svc.ts'
import { downloaded, flip, send } from '../support/page-actions.ts'
import { pageChecker } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

// Encrypted uploads with a download limit: their manifest is read without a download.

let server: StartedServer
let browser: Browser
let sdk: Client
let svc: Svc

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  sdk = createClient({ baseURL: server.url })
  svc = await installSvc(server.url)
  await svc.write('a.txt', 'content of a')
  await svc.write('b.txt', 'content of b')
})
afterAll(() => Promise.all([server.stop(), browser.close(), svc.remove()]))

const statuses = async (link: string) =>
  (await sdk.upload(uploadIdOf(link))).files.map(({ status }) => status)
const get = (page: Page, name: string) => page.getByRole('link', { name: `Download ${name}`, exact: true })
const confirm = (page: Page) => page.getByRole('button', { name: 'Download now' })
const alert = (page: Page, words: string) => page.getByRole('alert').filter({ hasText: words })

async function openOn(link: string, malice: Malice = {}) {
  const visited = await visit(browser, server.url)
  await beMalicious(visited.page, malice)
  await visited.page.goto(link)
  await visited.page.locator('.list-row, .hero').first().waitFor()
  return visited
}

/** Files that the page sends for one download each. */
async function sendOnce(): Promise<{ link: string; upload: Upload }> {
  const { page, pageErrors } = await visit(browser, server.url)
  await chooseEncrypted(page, server.url, [textFile('a.txt'), textFile('b.txt')])
  await flip(page, 'One-time download')
  const link = await send(page)
  expect(link).toMatch(markedLink)
  expect(pageErrors).toEqual([])
  expect(await statuses(link)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  return { link, upload: await sdk.upload(uploadIdOf(link)) }
}

test('one-time files that the page sends are verified elsewhere, and their manifest goes with the last one', async () => {
  const { link } = await sendOnce()
  const recipient = await openOn(link)
  expect(await recipient.page.getByText(manifestName).count()).toBe(0)
  await get(recipient.page, 'a.txt').click()
  const got = await downloaded(recipient.page, () => confirm(recipient.page).click())
  expect(got.bytes.toString()).toBe('content of a.txt')
  await expect.poll(() => statuses(link)).toEqual(['removed', 'uploaded', 'uploaded'])

  const other = await openOn(link)
  expect(await other.page.getByRole('alert').allTextContents()).toEqual([])
  await get(other.page, 'b.txt').click()
  const rest = await downloaded(other.page, () => confirm(other.page).click())
  expect(rest.bytes.toString()).toBe('content of b.txt')
  await expect.poll(() => statuses(link)).toEqual(['removed', 'removed', 'removed'])

  const late = await openOn(link)
  await late.page.getByText('Each file could be downloaded once').waitFor()
  expect(await late.page.getByRole('alert').allTextContents()).toEqual([])
  expect([...recipient.pageErrors, ...other.pageErrors, ...late.pageErrors]).toEqual([])
})

test('a swapped one-time file is refused, and the page says that its download may be used up', async () => {
  const { link, upload } = await sendOnce()
  const names: Readonly<Record<string, string>> = { 'a.txt': 'b.txt', 'b.txt': 'a.txt' }
  const { page, pageErrors } = await openOn(link, {
    file: (id) => {
      const { fileName } = fileOf(upload, id)
      return fileOf(upload, names[fileName] ?? fileName)
    },
  })
  await get(page, 'a.txt').click()
  await confirm(page).click()
  await alert(page, 'The content is not the one that was sent').getByText('may be used up').waitFor()
  const { checkViews, problems } = pageChecker(page, 'manifest')
  await checkViews('refused-once')
  expect([...problems, ...pageErrors]).toEqual([])
})

test('while the manifest cannot be loaded, no one-time file is used up', async () => {
  const { link, upload } = await sendOnce()
  const nothing = { id: 'nosuchfile', fileName: 'none' }
  const { page } = await openOn(link, {
    file: (id) => (id === fileOf(upload, manifestName).id ? nothing : fileOf(upload, id)),
  })
  await alert(page, 'missing on the server').waitFor()
  expect(await get(page, 'a.txt').count()).toBe(0)
  expect(await statuses(link)).toEqual(['uploaded', 'uploaded', 'uploaded'])
})

test('without a connection for the manifest, a click uses up no one-time file', async () => {
  const { link } = await sendOnce()
  const { page } = await visit(browser, server.url)
  await page.route(/\.svc-manifest\.age$/, (route) => route.abort())
  await page.goto(link)
  await get(page, 'a.txt').click()
  await confirm(page).click()
  await alert(page, 'Download refused').waitFor()
  expect(await statuses(link)).toEqual(['uploaded', 'uploaded', 'uploaded'])
  await page.unroute(/\.svc-manifest\.age$/)
  await get(page, 'a.txt').click()
  const got = await downloaded(page, () => confirm(page).click())
  expect(got.bytes.toString()).toBe('content of a.txt')
})

test('files with a number of downloads are counted without the manifest', async () => {
  const { output } = await svc.run('a.txt', 'b.txt', '-s', '--downloads', '2')
  const [link = ''] = output.split('\n')
  const { page, pageErrors } = await openOn(link)
  await page.getByText('2 of 2 downloads left for each file').waitFor()
  await expect.poll(() => page.getByText('2 of 2 downloads left').count()).toBe(1)
  const got = await downloaded(page, () => get(page, 'a.txt').click())
  expect(got.bytes.toString()).toBe('content of a')
  await page.getByText('1 of 2 downloads left').waitFor()
  expect(await svc.get(link)).toMatchObject({ status: 0, names: ['a.txt', 'b.txt'] })
  expect(await statuses(link)).toEqual(['removed', 'uploaded', 'uploaded'])
  const rest = await svc.get(link)
  expect(rest).toMatchObject({ status: 3, names: ['b.txt'] })
  expect(await statuses(link)).toEqual(['removed', 'removed', 'removed'])
  expect(pageErrors).toEqual([])
})
