import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import {
  choose,
  downloaded,
  flip,
  openOptions,
  opened,
  send,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { pageChecker, screenshotTimeout, type View } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer({ MAX_FILE_SIZE_STR: '50MB' }), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const views: readonly View[] = [
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', axe: true },
  { width: 820, colorScheme: 'light' },
  { width: 820, colorScheme: 'dark' },
  { width: 1440, colorScheme: 'light', axe: true },
  { width: 1440, colorScheme: 'dark' },
]

const named = (...names: string[]) => names.map((name) => ({ name, bytes: Buffer.from(name) }))

async function shown(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

test('the end states of a sender', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const { checkViews, problems } = pageChecker(page, 'end', views)
  await choose(page, server.url, [
    ...named('report.pdf', `${'a long name '.repeat(12)}.txt`, 'tab\tin the name.txt'),
    { name: 'film.mov', bytes: Buffer.alloc(50_000_001) },
  ])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await send(page)
  await checkViews('1-sent')
  await page.getByRole('button', { name: 'Upload more files' }).click()
  await page.getByRole('button', { name: 'Leave without it' }).click()
  for (const name of ['holiday.zip', 'notes.txt', 'photo.jpg']) {
    await choose(page, server.url, named(name, 'second.txt'))
    await send(page)
    await page.getByRole('button', { name: 'Upload more files' }).click()
  }
  const list = page.getByRole('list', { name: 'Sent from this device' })
  await list.getByText('Expires in').first().waitFor()
  await checkViews('2-start')
  await page.getByRole('link', { name: 'Show all' }).click()
  await opened(page)
  await checkViews('3-list')
  await list.getByRole('button', { name: 'Delete notes.txt' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await list.getByText('notes.txt').waitFor({ state: 'detached' })
  expect([...problems, ...pageErrors]).toEqual([])
})

test('the end states of a recipient', { timeout: screenshotTimeout }, async () => {
  const { page } = await visit(browser, server.url)
  const { checkViews, problems } = pageChecker(page, 'end', views)
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload({ oneShot: true })
  const { uploadToken } = upload
  for (const { name, bytes } of named('report.pdf', 'second.txt'))
    await sdk.addFile(upload.id, new Blob([bytes]), { fileName: name, uploadToken })
  await page.goto(sdk.pageURL(upload))
  await opened(page)
  const refused = { code: 'bot_refused', message: 'refused' }
  await page.route(/\/file\//, (route) =>
    route.fulfill({ status: 406, contentType: 'application/json', body: JSON.stringify(refused) }),
  )
  await page.getByRole('link', { name: 'Download report.pdf' }).click()
  await page.getByRole('button', { name: 'Download now' }).click()
  await page.getByRole('alert').getByText('Download refused').waitFor()
  await checkViews('4-refused')
  await page.unroute(/\/file\//)
  await downloaded(page, async () => {
    await page.getByRole('link', { name: 'Download report.pdf' }).click()
    await page.getByRole('button', { name: 'Download now' }).click()
  })
  await page.getByText('Downloaded by you').waitFor()
  await checkViews('5-one-of-two')
  await downloaded(page, async () => {
    await page.getByRole('link', { name: 'Download second.txt' }).click()
    await page.getByRole('button', { name: 'Download now' }).click()
  })
  await shown(page, 'You have it')
  await checkViews('6-mine')
  await page.reload()
  await shown(page, 'Downloaded, and gone')
  await checkViews('7-taken')
  expect(problems).toEqual([])
})

test('the states of a live transfer', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const { checkViews, problems } = pageChecker(page, 'end', views)
  await choose(page, server.url, named('live.txt'))
  await openOptions(page)
  await flip(page, 'Live transfer')
  await sendButton(page).click()
  await shown(page, 'Waiting for someone to open the link')
  await checkViews('8-live')
  const receiver = await visit(browser, server.url)
  await receiver.page.goto(await shareLink(page))
  const received = pageChecker(receiver.page, 'end', views)
  await opened(receiver.page)
  await received.checkViews('9-live-received')
  await downloaded(receiver.page, () =>
    receiver.page.getByRole('link', { name: 'Download', exact: true }).click(),
  )
  await shown(page, 'Received')
  await checkViews('10-live-done')
  expect([...problems, ...received.problems, ...pageErrors]).toEqual([])
})
