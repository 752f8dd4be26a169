import { randomBytes } from 'node:crypto'
import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import {
  choose,
  chooseExpiry,
  downloaded,
  flip,
  linkToManage,
  openOptions,
  send,
} from '../support/page-actions.ts'
import { checkState, describedField } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('a one-shot file shows a warning, is downloaded once, and is removed', async () => {
  const bytes = randomBytes(100_000)
  const sender = await visit(browser, server.url)
  await choose(sender.page, server.url, [{ name: 'once.bin', bytes }])
  await openOptions(sender.page)
  await flip(sender.page, 'One-time download')
  const link = await send(sender.page)
  await sender.page.getByText('Each file can be downloaded once.').waitFor()

  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  const button = page.getByRole('link', { name: 'Download', exact: true })
  await button.click()
  await page.getByRole('dialog', { name: 'This is the only download' }).waitFor()
  await checkState(page, 'one-shot')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await button.click()
  const got = await downloaded(page, () => page.getByRole('button', { name: 'Download now' }).click())
  expect(got.bytes.equals(bytes)).toBe(true)
  await page.getByRole('heading', { name: 'You have it' }).waitFor()
  await page.getByText('Downloaded by you').waitFor()
  expect([...sender.pageErrors, ...pageErrors]).toEqual([])
})

test('a download limit is counted on the page, and after the last download the file is gone', async () => {
  const bytes = randomBytes(10_000)
  const sender = await visit(browser, server.url)
  await choose(sender.page, server.url, [{ name: 'twice.bin', bytes }])
  await openOptions(sender.page)
  await sender.page.getByLabel('Download limit').selectOption('2')
  await checkState(sender.page, 'download-limit')
  // With one download, there is nothing to choose.
  await flip(sender.page, 'One-time download')
  expect(await sender.page.getByLabel('Download limit').count()).toBe(0)
  await flip(sender.page, 'One-time download')
  await sender.page.getByText('up to 2 downloads').waitFor()
  const link = await send(sender.page)
  await sender.page.getByText('Each file can be downloaded 2 times.').waitFor()

  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  await page.getByText('2 of 2 downloads left').waitFor()
  const save = () => page.getByRole('link', { name: 'Download', exact: true }).click()
  expect((await downloaded(page, save)).bytes.equals(bytes)).toBe(true)
  await page.getByText('1 of 2 downloads left').waitFor()
  expect((await downloaded(page, save)).bytes.equals(bytes)).toBe(true)
  await page.getByText('1 of 2 downloads left').waitFor({ state: 'hidden' })
  expect([...sender.pageErrors, ...pageErrors]).toEqual([])
})

test('a password opens the page, and the file arrives unchanged, small or large', async () => {
  const picked = [
    { name: 'small.bin', bytes: randomBytes(100_000) },
    { name: 'large.bin', bytes: randomBytes(65_000_000) },
  ]
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ login: 'anna', password: 'päss:wörd' })
  for (const { name, bytes } of picked) {
    await sdk.addFile(upload.id, new Blob([bytes]), { fileName: name, uploadToken: upload.uploadToken })
  }
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await page.getByRole('heading', { name: 'Password required' }).waitFor()
  await screenshot(page, 'password')
  const password = page.getByLabel('Password')
  await password.fill('wrong')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByText('Wrong password.').waitFor()
  await page.getByRole('button', { name: 'I also have a username', expanded: false }).click()
  await page.getByLabel('Username', { exact: true }).fill('anna')
  await password.fill('päss:wörd')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  for (const { name, bytes } of picked) {
    const got = await downloaded(page, () => page.getByRole('link', { name: `Download ${name}` }).click())
    expect(got.name).toBe(name)
    expect(got.bytes.equals(bytes)).toBe(true)
  }
  expect(pageErrors).toEqual([])
})

test('the page creates a protected upload with a password only', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [{ name: 'LICENSE', bytes: Buffer.from('secret') }])
  await openOptions(page)
  await flip(page, 'Password protection')
  await expect.poll(() => page.getByRole('button', { name: /^Upload 1 file/ }).isDisabled()).toBe(true)
  await page.getByLabel('Password', { exact: true }).fill('hush')
  const link = await send(page)
  const other = await visit(browser, server.url)
  await other.page.goto(link)
  await other.page.getByLabel('Password').fill('hush')
  await other.page.keyboard.press('Enter')
  await other.page.getByRole('heading', { name: 'A file for you' }).waitFor()
  const got = await downloaded(other.page, () =>
    other.page.getByRole('link', { name: 'Download', exact: true }).click(),
  )
  // Under its original name, which has no extension.
  expect({ name: got.name, text: got.bytes.toString() }).toEqual({ name: 'LICENSE', text: 'secret' })
  expect([...pageErrors, ...other.pageErrors]).toEqual([])
})

test('a comment, a time to live, and files that others may remove', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(
    page,
    server.url,
    ['a.txt', 'b.txt'].map((name) => ({ name, bytes: Buffer.from(name) })),
  )
  await openOptions(page)
  await flip(page, 'Allow deletion')
  await flip(page, 'Add note')
  await page.getByLabel('Note (Markdown supported)').fill('Photos of **Rome**, see <https://example.org>')
  await chooseExpiry(page, 'Custom…')
  await page.getByLabel('Amount').fill('90')
  await page.getByLabel('Unit').selectOption('minutes')
  await page
    .getByRole('button', { name: /^Options/ })
    .getByText('1 hour 30 minutes · deletion allowed · note')
    .waitFor()
  await screenshot(page, 'options')
  const link = await send(page)

  const visitor = await visit(browser, server.url)
  await visitor.page.goto(link)
  await visitor.page.getByText(/^Expires in 1 hour (?:29|30) minutes$/).waitFor()
  const comments = visitor.page.getByTestId('comments')
  await comments.waitFor()
  await expect.poll(() => comments.locator('strong').textContent()).toBe('Rome')
  await expect.poll(() => comments.locator('a').getAttribute('rel')).toBe('noopener noreferrer nofollow ugc')
  await checkState(visitor.page, 'note')
  await visitor.page.getByRole('button', { name: 'Delete a.txt' }).click()
  await visitor.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await visitor.page.getByText('Unavailable').waitFor()
  expect(await visitor.page.getByRole('button', { name: 'Delete upload' }).count()).toBe(0)
  expect([...pageErrors, ...visitor.pageErrors]).toEqual([])
})

test('the link to manage an upload removes everything, and its token does not stay in the URL', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  const link = await send(page)
  const toManage = await linkToManage(page)
  expect(toManage).toMatch(/&uploadToken=\w{32}$/)

  const owner = await visit(browser, server.url)
  await owner.page.goto(toManage)
  await owner.page.getByRole('button', { name: 'Delete upload' }).waitFor()
  expect(owner.page.url()).toBe(link)
  await owner.page.reload()
  await owner.page.getByRole('button', { name: 'Delete upload' }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await owner.page.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  await checkState(owner.page, 'removed')
  await owner.page.reload()
  await owner.page.getByRole('heading', { name: 'No longer available' }).waitFor()
  expect([...pageErrors, ...owner.pageErrors]).toEqual([])
})

test('a username with a colon and a note that is too long are marked, and described by the reason', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('a') }])
  await openOptions(page)
  await flip(page, 'Password protection')
  await page.getByLabel('Password', { exact: true }).fill('hush')
  await page.getByRole('textbox', { name: 'Username' }).fill('a:b')
  await page.getByText('The username cannot contain a colon.').waitFor()
  expect(await describedField(page, 'Username')).toEqual(['true', 'The username cannot contain a colon.'])
  await page.getByRole('textbox', { name: 'Username' }).fill('ab')
  expect(await describedField(page, 'Username')).toEqual([null, null])
  await flip(page, 'Add note')
  await page.getByRole('textbox', { name: 'Note' }).fill('x'.repeat(33_000))
  await page.getByText('The note is too long.').waitFor()
  expect(await describedField(page, 'Note')).toEqual([
    'true',
    expect.stringContaining('The note is too long.'),
  ])
  expect(pageErrors).toEqual([])
})

test('a link to one file shows only that file, and a link to the others', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const access = { uploadToken: upload.uploadToken }
  const file = await sdk.addFile(upload.id, new Blob(['a']), { fileName: 'a.txt', ...access })
  await sdk.addFile(upload.id, new Blob(['b']), { fileName: 'b.txt', ...access })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload, { fileID: file.id }))
  // The heading is that of the link.
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  expect(await page.getByRole('link', { name: 'Download b.txt' }).count()).toBe(0)
  await page.getByRole('link', { name: '1 more file at this link' }).click()
  await page.getByRole('link', { name: 'Download b.txt' }).waitFor()
})

test('files that are still being uploaded appear when they are complete', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ files: [{ reference: '0', fileName: 'late.txt' }] })
  const { page } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await page.getByText('Not uploaded yet').waitFor()
  await checkState(page, 'late')
  const [declared] = upload.files
  await sdk.addFile(upload.id, new Blob(['late']), {
    fileName: 'late.txt',
    uploadToken: upload.uploadToken,
    fileID: declared?.id,
  })
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
})
