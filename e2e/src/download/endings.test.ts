import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { downloaded, opened } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** @returns the link of an upload with these files */
async function linkOf(names: readonly string[], oneShot: boolean): Promise<string> {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ oneShot })
  const { uploadToken } = upload
  for (const fileName of names) await sdk.addFile(upload.id, new Blob([fileName]), { fileName, uploadToken })
  return sdk.pageURL(upload)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()
const confirmed = (page: Page, link: RegExp | string) =>
  downloaded(page, async () => {
    await page.getByRole('link', { name: link }).first().click()
    await page.getByRole('button', { name: 'Download now' }).click()
  })

test('who downloads a one-shot file has it; another visitor sees that it is gone', async () => {
  const link = await linkOf(['once.txt'], true)
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  const got = await confirmed(page, 'Download')
  expect(got).toEqual({ name: 'once.txt', bytes: Buffer.from('once.txt') })
  await heading(page, 'You have it')
  await page.getByText('The server has no copy.').waitFor()
  await page.getByText('Downloaded by you').waitFor()
  await checkState(page, 'one-shot-mine')

  const other = await visit(browser, server.url)
  await other.page.goto(link)
  await heading(other.page, 'Downloaded, and gone')
  await other.page.getByText('This file could be downloaded once.').waitFor()
  await other.page.getByText('If it was not you, ask the sender for a new link.').waitFor()
  await checkState(other.page, 'one-shot-taken')
  expect([...pageErrors, ...other.pageErrors]).toEqual([])
})

test('when all downloads are used, the recipient and the owner see that none is left, and no expiry', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ maxDownloads: 2 })
  const { id, uploadToken } = upload
  const file = await sdk.addFile(id, new Blob(['content']), { fileName: 'twice.txt', uploadToken })
  for (let count = 0; count < 2; count += 1) await (await sdk.download(upload, file)).text()
  for (const link of [sdk.pageURL(upload), `${server.url}/#/?id=${id}&uploadToken=${String(uploadToken)}`]) {
    const { page, pageErrors } = await visit(browser, server.url)
    await page.goto(link)
    await heading(page, 'No downloads left')
    await page.getByText('This file could be downloaded 2 times.').waitFor()
    await expect.poll(() => page.getByText('No downloads left').count()).toBe(2)
    expect(await page.getByText('Expires in').count()).toBe(0)
    // The owner is the sender.
    await expect
      .poll(() => page.getByText('Ask the sender').count())
      .toBe(link.includes('uploadToken') ? 0 : 1)
    await checkState(page, 'used-up')
    expect(pageErrors).toEqual([])
  }
})

test.each([
  ['limited', { maxDownloads: 2 }, 'Deleted'],
  ['one-shot', { oneShot: true }, 'Unavailable'],
])('a %s file that its sender has deleted is not one that was downloaded', async (_kind, options, words) => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload(options)
  const { id, uploadToken } = upload
  const file = await sdk.addFile(id, new Blob(['content']), { fileName: 'twice.txt', uploadToken })
  await sdk.removeFile(id, file, { uploadToken })
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(sdk.pageURL(upload))
  await heading(page, 'This file is no longer available')
  await page.getByText(words, { exact: true }).waitFor()
  await page.getByText('It was deleted or has expired.').waitFor()
  expect(await page.getByText(/No downloads left|Downloaded, and gone/).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('an archive of one-shot files ends in the same words', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(await linkOf(['a.txt', 'b.txt'], true))
  await confirmed(page, /Download all/)
  await heading(page, 'You have it')
  await expect.poll(() => page.getByText('Downloaded by you').count()).toBe(2)
  expect(pageErrors).toEqual([])
})

test('a browser that looks like a link preview learns why it gets no file, and what to do', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { userAgent: 'Slackbot-LinkExpanding 1.0' })
  await page.goto(await linkOf(['once.txt'], true))
  await page.getByRole('link', { name: 'Download' }).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  const refusal = page.getByRole('alert')
  await refusal.getByText('Download refused').waitFor()
  await refusal.getByText('This file can be downloaded only once').waitFor()
  await refusal.getByText('Open the link in another browser.').waitFor()
  await checkState(page, 'refused-bot')
  expect(pageErrors).toEqual([])
})

test('a download that a limit refuses says so, for one file and for all', async () => {
  const { page } = await visit(browser, server.url)
  await page.goto(await linkOf(['a.txt', 'b.txt'], false))
  await opened(page)
  const refuse = { code: 'too_many_connections', message: 'too many connections' }
  await page.route(/\/(?:file|archive)\//, (route) =>
    route.fulfill({ status: 429, contentType: 'application/json', body: JSON.stringify(refuse) }),
  )
  for (const name of ['Download a.txt', /Download all/]) {
    await page.getByRole('link', { name }).click()
    await page.getByRole('alert').getByText('There are too many connections from your network.').waitFor()
    await checkState(page, 'refused-limit')
    await page.reload()
    await opened(page)
  }
})

test('a file that another client is downloading says so', async () => {
  const link = await linkOf(['once.txt'], true)
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(link)
  await page.route(/\/file\//, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/json',
      body: JSON.stringify({ code: 'download_in_progress', message: 'in progress' }),
    }),
  )
  await page.getByRole('link', { name: 'Download' }).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  await page.getByRole('alert').getByText('If that download fails, the file is available again.').waitFor()
  expect(pageErrors).toEqual([])
})
