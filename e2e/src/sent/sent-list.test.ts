import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { admin, enter, logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, launchWithoutStorage, visit } from '../support/browser.ts'
import { choose, opened, send } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { clickInDialog, sendFile } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ ...withAccounts, MAX_FILE_SIZE_STR: '1000' }),
    launch(),
  ])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const list = (page: Page) => page.getByRole('list', { name: 'Sent from this device' })
const names = (page: Page) => list(page).locator('.file-name').allTextContents()
const shows = (page: Page, expected: readonly string[]) => expect.poll(() => names(page)).toEqual(expected)

/** @returns the link */
async function sendOne(page: Page, name: string): Promise<string> {
  await choose(page, server.url, [{ name, bytes: Buffer.from(name) }])
  return send(page)
}

async function showAll(page: Page): Promise<void> {
  await page.goto(`${server.url}/#/sent`)
  await page.reload()
  await opened(page)
}

test('a guest who reloads the page still has the link, and may delete the files', async () => {
  const { page, pageErrors, context } = await visit(browser, server.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const link = await sendOne(page, 'a.txt')
  await page.reload()
  await shows(page, ['a.txt'])
  await list(page)
    .getByText(/Expires in/)
    .waitFor()
  await list(page).getByRole('button', { name: 'Copy link to a.txt' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await checkState(page, 'sent-recent')
  await list(page).getByRole('link', { name: 'a.txt' }).click()
  await page.getByRole('button', { name: 'Delete a.txt' }).waitFor()
  await page.goBack()
  await list(page).getByRole('button', { name: 'Delete a.txt' }).click()
  await clickInDialog(page, 'Delete')
  await list(page).waitFor({ state: 'detached' })
  expect((await fetch(link.replace('/#/?id=', '/upload/'))).status).toBe(404)
  expect(pageErrors).toEqual([])
})

test('deleting an upload removes it from the finished page, from lists and from other tabs', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  const link = await sendOne(page, 'everywhere.txt')
  const lists = await context.newPage()
  await showAll(lists)
  await shows(lists, ['everywhere.txt'])
  const received = await context.newPage()
  await received.goto(link)
  await received.getByRole('heading', { name: 'A file for you' }).waitFor()
  await page.getByRole('button', { name: 'Delete upload' }).click()
  await clickInDialog(page, 'Delete')
  for (const tab of [page, received]) await tab.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  await lists.getByText('What you upload from this browser is listed here.').waitFor()
  await checkState(lists, 'sent-none')
  await page.getByRole('link', { name: 'Upload files' }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  expect(await list(page).count()).toBe(0)
  expect(pageErrors).toEqual([])
})

test('“Delete all uploads” of an account empties every list, also in another tab', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await sendOne(page, 'one.txt')
  const other = await context.newPage()
  await sendOne(other, 'two.txt')
  await page.goto(`${server.url}/#/home/uploads`)
  await page.getByRole('button', { name: 'Delete all uploads' }).click()
  await clickInDialog(page, 'Delete all')
  await page.getByText('Your uploads are listed here').waitFor()
  await other.getByRole('heading', { name: 'Upload deleted' }).waitFor()
  await other.goto(`${server.url}/#/sent`)
  await other.getByText('What you upload from this browser is listed here.').waitFor()
  expect(pageErrors).toEqual([])
})

test('two tabs add to one list', async () => {
  const { page, context, pageErrors } = await visit(browser, server.url)
  const other = await context.newPage()
  await showAll(page)
  await sendOne(other, 'other.txt')
  await shows(page, ['other.txt'])
  await sendOne(page, 'mine.txt')
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await shows(page, ['mine.txt', 'other.txt'])
  expect(pageErrors).toEqual([])
})

test('the list of a user has the uploads of other devices, and is not shown to others', async () => {
  const sdk = await signedIn(server.url)
  const { page, context, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await sendFile(sdk, 'elsewhere.txt')
  await sendOne(page, 'here.txt')
  await showAll(page)
  await shows(page, ['here.txt', 'elsewhere.txt'])
  await checkState(page, 'sent-account')
  await context.clearCookies()
  await page.goto('about:blank')
  await page.goto(`${server.url}/`)
  await opened(page)
  expect(await list(page).count()).toBe(0)
  await page.goto(`${server.url}/#/login`)
  await enter(page, admin)
  await page.goto(`${server.url}/#/`)
  await shows(page, ['here.txt'])
  expect(pageErrors).toEqual([])
})

test('a browser without storage says so, and keeps the list while the page is open', async () => {
  await using cleanup = new AsyncDisposableStack()
  const { context, close } = await launchWithoutStorage()
  cleanup.defer(close)
  const page = await context.newPage()
  await sendOne(page, 'a.txt')
  await page.getByText('This browser cannot remember this upload.').waitFor()
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await shows(page, ['a.txt'])
  await page.getByText('This browser does not store the list').waitFor()
  await checkState(page, 'sent-unsaved')
})

test('a browser whose storage is full says so, and loses nothing', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await sendOne(page, 'before.txt')
  await page.evaluate(() => {
    for (let size = 1 << 20; size >= 1; size >>= 1) {
      try {
        for (let count = 0; ; count += 1)
          localStorage.setItem(`full-${String(size)}-${String(count)}`, 'x'.repeat(size))
      } catch {
        // The next one is smaller.
      }
    }
  })
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await sendOne(page, 'after.txt')
  await page.getByText('This browser cannot remember this upload.').waitFor()
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await shows(page, ['after.txt', 'before.txt'])
  expect(pageErrors).toEqual([])
})

test('the list keeps the hundred newest uploads, and is shown in steps', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${server.url}/`)
  await page.evaluate(() => {
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString()
    for (let index = 0; index < 100; index += 1) {
      const id = `old${String(index)}`
      const files = [{ name: `${id}.txt`, size: 1, modified: 0 }]
      const upload = { id, createdAt: at(index), expireAt: at(0), files, fileCount: 1 }
      localStorage.setItem(`svc-sent / ${id}`, JSON.stringify(upload))
    }
    localStorage.setItem('svc-sent / damaged', '{')
  })
  await page.reload()
  await sendOne(page, 'newest.txt')
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await page.getByRole('link', { name: 'Show all (100)' }).click()
  await expect.poll(() => names(page)).toHaveLength(20)
  await list(page).getByText('Expired').first().waitFor()
  for (let shown = 20; shown < 100; shown += 20) await page.getByRole('button', { name: 'Show more' }).click()
  expect(await names(page)).toHaveLength(100)
  expect(await list(page).getByText('old0.txt').count()).toBe(0)
  await list(page).getByRole('button', { name: 'Remove old99.txt from the list' }).click()
  await expect.poll(() => names(page)).toHaveLength(99)
  expect(pageErrors).toEqual([])
})

test('files that are refused before the upload are listed with the reason at its end', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await choose(page, server.url, [
    { name: 'fits.txt', bytes: Buffer.from('fits') },
    { name: 'large.bin', bytes: Buffer.alloc(2000) },
    { name: 'hidden\u0007name.txt', bytes: Buffer.from('x') },
  ])
  await send(page)
  const refused = page.getByRole('region', { name: 'Not part of this upload' })
  await refused.getByText('large.bin').waitFor()
  await refused.getByText('Too large: the limit is 1 kB per file.').waitFor()
  await refused.getByText('The name contains invisible control characters.').waitFor()
  await checkState(page, 'sent-refused')
  expect(pageErrors).toEqual([])
})

test('many files that are refused before the upload are one row at its end, which opens', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const large = Array.from({ length: 6 }, (_, index) => `large ${String(index)}.bin`)
  await choose(page, server.url, [
    { name: 'fits.txt', bytes: Buffer.from('fits') },
    ...large.map((name) => ({ name, bytes: Buffer.alloc(2000) })),
  ])
  await send(page)
  const row = page.getByRole('button', { name: '6 files are not part of this upload' })
  await row.waitFor()
  expect(await page.getByText('large 0.bin').count()).toBe(0)
  await checkState(page, 'sent-refused-many')
  await row.click()
  await page.getByText('large 5.bin').waitFor()
  expect(pageErrors).toEqual([])
})
