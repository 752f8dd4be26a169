import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, opened, send } from '../support/page-actions.ts'
import { checkState, pageChecker, screenshotTimeout, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { sendFile, uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ ...withAccounts, ACTIVITY_ADDRESSES: 'true' }),
    launch(),
  ])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const views: readonly View[] = [390, 820, 1440].flatMap((width) => [
  { width, colorScheme: 'light', axe: width === 1440 },
  { width, colorScheme: 'dark', axe: width === 390 },
])
const downloads = (page: Page) => page.getByRole('list', { name: 'Downloads' }).getByRole('listitem')
const agent = (userAgent: string, range?: string) => ({
  headers: { 'user-agent': userAgent, ...(range !== undefined && { range }) },
})

test(
  'the sender sees the downloads of an upload on its page, the newest first, and loads more',
  { timeout: screenshotTimeout },
  async () => {
    const sdk = createClient({ baseURL: server.url })
    const upload = await sdk.createUpload()
    const { uploadToken } = upload
    const hostile = '<img src=x onerror=alert(1)>.txt'
    for (const [fileName, size] of [
      [hostile, 2000],
      ['b.txt', 1],
    ] as const)
      await sdk.addFile(upload.id, new Blob(['x'.repeat(size)]), { fileName, uploadToken })
    const sent = await sdk.upload(upload.id)
    const [first] = sent.files
    if (first === undefined) throw new Error('the upload has no files')
    const link = sdk.pageURL(upload, { uploadToken: uploadToken ?? '' })

    const { page, pageErrors } = await visit(browser, server.url)
    const checker = pageChecker(page, 'activity', views)
    await page.goto(link)
    await page.getByRole('button', { name: 'Downloads' }).click()
    await page.getByText('No one has downloaded this yet.').waitFor()
    await checker.checkViews('none')

    await (await fetch(sdk.fileURL(upload, first), agent('curl/8.0'))).text()
    await (await fetch(sdk.fileURL(upload, first), agent('Wget/1.21', 'bytes=0-99'))).text()
    await (await fetch(sdk.archiveURL(upload), agent('Mozilla/5.0 Firefox/140.0'))).arrayBuffer()
    for (let count = 1; count <= 20; count += 1)
      await (await fetch(sdk.fileURL(upload, first), agent('svc/1'))).text()
    const listed = () => sdk.downloads(upload.id, { limit: 500 }, { uploadToken })
    await expect.poll(async () => (await listed()).results.length, { timeout: 60_000 }).toBe(23)
    await page.reload()
    await page.getByRole('button', { name: 'Downloads' }).click()
    await expect.poll(() => downloads(page).count(), { timeout: 60_000 }).toBe(20)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => downloads(page).count(), { timeout: 60_000 }).toBe(23)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    const texts = (await downloads(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    expect(
      texts.filter((text) => text.includes(hostile) && text.includes('Complete · 2 kB · svc')),
    ).toHaveLength(20)
    expect(texts.filter((text) => text.includes('Complete · 2 kB · curl'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('Partial · 100 bytes · wget'))).toHaveLength(1)
    expect(texts.filter((text) => /All files as ZIP .*Complete · .* · Browser/.test(text))).toHaveLength(1)
    expect(texts.every((text) => text.includes('127.0.0.1'))).toBe(true)
    await checker.checkViews('list')

    // Without the token, no one sees them.
    const { page: other } = await visit(browser, server.url)
    await other.goto(sdk.pageURL(upload))
    await other.getByRole('heading', { name: '2 files for you' }).waitFor()
    await other.getByRole('textbox', { name: 'Link to this page' }).waitFor()
    expect(await other.getByRole('button', { name: 'Downloads' }).count()).toBe(0)
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test(
  'the downloads of what was sent from this device are in its list',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const checker = pageChecker(page, 'activity-sent', views)
    await choose(page, server.url, [{ name: 'a.txt', bytes: Buffer.from('abc') }])
    const id = uploadIdOf(await send(page))
    const sdk = createClient({ baseURL: server.url })
    const upload = await sdk.upload(id)
    for (const file of upload.files) await (await fetch(sdk.fileURL(upload, file), agent('curl/8.0'))).text()
    await page.goto(`${server.url}/#/sent`)
    const button = page.getByRole('button', { name: 'Downloads of a.txt' })
    await expect
      .poll(
        async () => {
          await button.click()
          if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
          await downloads(page).or(page.getByText('No one has downloaded this yet.')).first().waitFor()
          return downloads(page).allInnerTexts()
        },
        { timeout: 60_000 },
      )
      .toEqual([expect.stringMatching(/^a\.txt[^]*Complete · 3 bytes · curl/)])
    await checker.checkViews('open')
    await page.route(/\/activity/, (route) => route.abort())
    await button.click()
    await button.click()
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    await checkState(page, 'activity-failed')
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('the owner of an upload sees its downloads with the session', async () => {
  const sdk = await signedIn(server.url)
  const upload = await sdk.upload(await sendFile(sdk, 'mine.txt'))
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/?id=${upload.id}`)
  await opened(page)
  await page.getByRole('button', { name: 'Downloads' }).click()
  await page.getByText('No one has downloaded this yet.').waitFor()
  expect(pageErrors).toEqual([])
})
