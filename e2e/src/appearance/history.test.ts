import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { logIn, signedIn, withAccounts, type TestUser } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { choose, flip, listedNames, openOptions, opened, selectionShown } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { sendFile, waitForList } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

async function newPage(): Promise<Page> {
  const { page, pageErrors } = await visit(browser, server.url)
  onTestFinished(() => {
    expect(pageErrors).toEqual([])
  })
  return page
}

// By the page, because Playwright asks the browser, which may not know yet what the page has just added to the history.
const goBack = (page: Page) =>
  page.evaluate(() => {
    history.back()
  })
const goForward = (page: Page) =>
  page.evaluate(() => {
    history.forward()
  })

test('back and forward leave the draft of an upload and return to it', async () => {
  const page = await newPage()
  await choose(page, server.url, [{ name: 'draft.txt', bytes: Buffer.from('draft') }])
  await openOptions(page)
  await flip(page, 'One-time download')
  const clients = page.getByRole('heading', { name: 'Other ways to upload' })
  await page.getByRole('link', { name: 'Other ways to upload' }).click()
  await clients.waitFor()
  for (const _ of [1, 2]) {
    await goBack(page)
    await selectionShown(page)
    expect(await listedNames(page)).toEqual(['draft.txt'])
    await page.getByText('30 days · one-time download').waitFor()
    await goForward(page)
    await clients.waitFor()
  }
})

test('back and forward lead from a file of an upload to its list and to the file again', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const { uploadToken } = upload
  for (const fileName of ['first.txt', 'second.txt'])
    await sdk.addFile(upload.id, new Blob([`the text of ${fileName}`]), { fileName, uploadToken })
  const page = await newPage()
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  const text = page.getByTestId('text-viewer').getByText('the text of second.txt')
  await page.getByRole('link', { name: 'View second.txt' }).click()
  await text.waitFor()
  await page.getByRole('link', { name: /^Svc\b/ }).click()
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
  await goBack(page)
  await text.waitFor()
  await goBack(page)
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  await text.waitFor({ state: 'hidden' })
  await goForward(page)
  await text.waitFor()
  await goForward(page)
  await page.getByRole('heading', { name: 'Share files with a link' }).waitFor()
})

/** The second page of the uploads of a new user, who is signed in. The first page has all names but the first one. */
async function openSecondPage(login: string): Promise<{ page: Page; names: readonly string[] }> {
  const user: TestUser = { login, password: 'correct horse battery' }
  await (await signedIn(server.url)).createUser({ provider: 'local', ...user })
  const sdk = await signedIn(server.url, user)
  const names = Array.from({ length: 21 }, (_, index) => `file ${String(index + 10)}.txt`)
  for (const name of names) await sendFile(sdk, name)
  const page = await newPage()
  await logIn(page, server.url, user)
  await page.goto(`${server.url}/#/home/uploads`)
  await waitForList(page, names.slice(1).toReversed())
  await page.getByRole('button', { name: 'Next' }).click()
  await waitForList(page, names.slice(0, 1))
  return { page, names }
}

const tokensOf = (page: Page) => page.getByRole('heading', { name: 'Tokens', exact: true })

test('back and forward lead through the pages of an account, to the same part of a list', async () => {
  const { page, names } = await openSecondPage('history')
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await tokensOf(page).waitFor()
  await goBack(page)
  await waitForList(page, names.slice(0, 1))
  await goBack(page)
  await waitForList(page, names.slice(1).toReversed())
  await goForward(page)
  await waitForList(page, names.slice(0, 1))
  await goForward(page)
  await tokensOf(page).waitFor()
})

test('a list that is still loading does not lead back to its page', async () => {
  const { page, names } = await openSecondPage('leaving')
  const left = Promise.withResolvers<undefined>()
  await page.route(/\/me\/token\b/, async (route) => {
    const response = await route.fetch()
    await left.promise
    await route.fulfill({ response })
  })
  await page.getByRole('link', { name: 'Tokens', exact: true }).click()
  await tokensOf(page).waitFor()
  await goBack(page)
  await waitForList(page, names.slice(0, 1))
  left.resolve(undefined)
  // By the page, because for the driver such a request may never end.
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => /\/me\/token\b/.test(name)),
      ),
    )
    .toBe(true)
  // The page handles the response and renders.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  await waitForList(page, names.slice(0, 1))
})
