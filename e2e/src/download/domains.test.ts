import { randomBytes } from 'node:crypto'
import { freePort } from '../../../scripts/test-servers/free-ports.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import {
  downloaded,
  flip,
  linkToManage,
  openOptions,
  opened,
  pick,
  send,
  shareLink,
} from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { picture, sound } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'

/** Both resolve to this machine; for a browser they are unrelated sites. */
let pages: string
let downloads: string
let server: StartedServer
let browser: Browser

beforeAll(async () => {
  const port = String(await freePort())
  pages = `http://localhost:${port}`
  downloads = `http://127.0.0.1:${port}`
  const settings = {
    ...withAccounts,
    LISTEN_PORT: port,
    PATH: '/share',
    SVC_DOMAIN: pages,
    DOWNLOAD_DOMAIN: downloads,
  }
  ;[server, browser] = await Promise.all([startServer(settings), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** A visitor of the pages; requests to the download domain are allowed here. */
async function arrive() {
  const visitor = await visit(browser, pages)
  const cookies: (string | undefined)[] = []
  visitor.page.on('request', async (request) => {
    if (request.url().startsWith(downloads)) cookies.push((await request.allHeaders())['cookie'])
  })
  const pageErrors = () =>
    visitor.pageErrors.filter((pageError) => !pageError.startsWith(`request: ${downloads}`))
  return { ...visitor, pageErrors, cookies }
}

test('pages come from one domain and files from another, which gets no cookie', async () => {
  const { page, context, pageErrors, cookies } = await arrive()
  await page.goto(`${downloads}/share/`)
  await page.waitForURL(`${pages}/share/#/`)
  await logIn(page, `${pages}/share`)
  await page.goto(`${pages}/share/#/`)
  const bytes = randomBytes(300_000)
  await pick(page, [
    { name: 'a.txt', bytes: Buffer.from('words of a') },
    { name: 'b.bin', bytes },
    { name: 'c.png', bytes: Buffer.from(picture) },
    { name: 'd.wav', bytes: Buffer.from(sound) },
  ])
  const link = await send(page)
  expect(link.startsWith(`${pages}/share/#/?id=`)).toBe(true)
  await page.goto(link)
  await page.getByRole('heading', { name: '4 files', exact: true }).waitFor()
  const address = await page.getByRole('link', { name: 'Download b.bin' }).getAttribute('href')
  expect(address?.startsWith(`${downloads}/share/file/`)).toBe(true)
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download b.bin' }).click())
  expect([got.name, got.bytes.equals(bytes)]).toEqual(['b.bin', true])
  const archive = await downloaded(page, () => page.getByRole('link', { name: /^Download all/ }).click())
  expect(archive.bytes.includes(bytes)).toBe(true)

  await page.getByRole('link', { name: 'a.txt', exact: true }).click()
  await page.getByTestId('text-viewer').getByText('words of a').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'c.png', exact: true }).click()
  await expect
    .poll(() =>
      page.getByRole('img', { name: 'c.png' }).evaluate((image) => (image as HTMLImageElement).naturalWidth),
    )
    .toBe(120)
  await checkState(page, 'domains-picture')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'd.wav', exact: true }).click()
  await expect
    .poll(() =>
      page.getByLabel('d.wav', { exact: true }).evaluate((player) => (player as HTMLMediaElement).duration),
    )
    .toBe(5)
  expect(cookies.length).toBeGreaterThan(3)
  expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([])
  expect((await context.cookies(downloads)).map(({ name }) => name)).toEqual([])

  // A request for a file on the domain of the pages is redirected.
  const path = new URL(address ?? '').pathname
  const moved = await page.request.get(pages + path, { maxRedirects: 0 })
  expect([moved.status(), moved.headers()['location']]).toEqual([302, downloads + path])
  expect(pageErrors()).toEqual([])
})

test('protected and encrypted files are shown and saved across domains, by their owner, too', async () => {
  const { page, pageErrors } = await arrive()
  await page.goto(`${pages}/share/#/`)
  await opened(page)
  await pick(page, [
    { name: 'a.txt', bytes: Buffer.from('a secret') },
    { name: 'b.txt', bytes: Buffer.from('another') },
  ])
  await openOptions(page)
  await flip(page, 'Password protection')
  await page.getByLabel('Password', { exact: true }).fill('hush')
  const locked = await send(page)
  await page.goto('about:blank')
  await page.goto(locked)
  await page.getByLabel('Password').fill('hush')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download a.txt' }).click())
  expect(got.bytes.toString()).toBe('a secret')
  await page.getByRole('link', { name: 'b.txt', exact: true }).click()
  await page.getByTestId('text-viewer').getByText('another').waitFor()

  await page.goto('about:blank')
  await page.goto(`${pages}/share/#/`)
  await opened(page)
  await pick(page, [{ name: 'c.txt', bytes: Buffer.from('sealed words') }])
  await openOptions(page)
  await flip(page, 'End-to-end encryption')
  await send(page)
  expect(await shareLink(page)).toContain('#key=')
  const own = await linkToManage(page)
  await page.goto('about:blank')
  await page.goto(own)
  await page.getByRole('button', { name: 'Delete upload' }).waitFor()
  const decrypted = await downloaded(page, () =>
    page.getByRole('link', { name: 'Download', exact: true }).click(),
  )
  expect(decrypted.bytes.toString()).toBe('sealed words')
  await page.getByRole('link', { name: 'c.txt', exact: true }).click()
  await page.locator('.cm-content').getByText('sealed words').waitFor()
  await checkState(page, 'domains-encrypted')
  expect(pageErrors()).toEqual([])
})

test('the holder of the link to manage an upload sees files across domains', async () => {
  const { page, pageErrors } = await arrive()
  await page.goto(`${pages}/share/#/`)
  await opened(page)
  await pick(page, [{ name: 'a.txt', bytes: Buffer.from('my own words') }])
  await send(page)
  const own = await linkToManage(page)
  await page.goto('about:blank')
  await page.goto(own)
  await page.getByRole('link', { name: 'a.txt', exact: true }).click()
  await page.getByTestId('text-viewer').getByText('my own words').waitFor()
  expect(pageErrors()).toEqual([])
})
