import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, visit } from '../support/browser.ts'
import { expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const count = 1000

let server: StartedServer
let browser: Browser
let address: string
/** The id of the file in the middle of the list. */
let middleID: string

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
  const sdk = createClient({ baseURL: server.url })
  const files = Array.from({ length: count }, (_, index) => {
    const fileName = `note ${String(index)}.txt`
    return { reference: fileName, fileName }
  })
  const upload = await sdk.createUpload({ files })
  const { uploadToken } = upload
  for (let first = 0; first < count; first += 20)
    await Promise.all(
      upload.files
        .slice(first, first + 20)
        .map(({ id: fileID, fileName }) =>
          sdk.addFile(upload.id, new Blob(['text']), { fileName, fileID, uploadToken }),
        ),
    )
  address = sdk.pageURL(upload)
  middleID = upload.files.find(({ fileName }) => fileName === 'note 500.txt')?.id ?? ''
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const rows = (page: Page) => page.getByRole('region', { name: 'Files' }).getByRole('listitem')
const isInWindow = (page: Page, name: string) =>
  page.getByText(name, { exact: true }).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
  })

test('of a thousand received files, the page has the rows in the window, and shows the others as it is scrolled', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(address)
  await page.getByText('note 0.txt').waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2000)
  expect(await violations(page)).toEqual([])
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await page.getByText('note 999.txt').waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  expect(pageErrors).toEqual([])
})

test('when the viewer of one of a thousand files is closed, its row is in the window and has the focus', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(`${address}&file=${middleID}`)
  await page.locator('.viewer').getByText('text').waitFor()
  await page.keyboard.press('Escape')
  await expectFocus(page.getByRole('link', { name: 'View note 500.txt' }))
  expect(await isInWindow(page, 'note 500.txt')).toBe(true)
  // The rows before and after it fill the window.
  await page.getByText('note 496.txt').waitFor()
  await page.getByText('note 504.txt').waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.viewer').getByText('text').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('region', { name: 'View note 501.txt' }).waitFor()
  await page.keyboard.press('Escape')
  await expectFocus(page.getByRole('link', { name: 'View note 501.txt' }))
  expect(await rows(page).count()).toBeLessThan(60)
  expect(pageErrors).toEqual([])
})

test('a printed list has all rows', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(address)
  await page.getByText('note 0.txt').waitFor()
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await expect.poll(() => rows(page).count()).toBe(count)
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  expect(await rows(page).count()).toBeLessThan(60)
  expect(pageErrors).toEqual([])
})

test('“select all” selects all rows, and a search in the page finds them', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(address)
  await page.getByText('note 0.txt').waitFor()
  await page.keyboard.press('Control+a')
  const selected = await page.evaluate(() => String(getSelection()))
  expect(selected).toContain('note 0.txt')
  expect(selected).toContain('note 999.txt')
  await page.reload()
  await page.getByText('note 0.txt').waitFor()
  expect(await rows(page).count()).toBeLessThan(60)
  await page.keyboard.press('Control+f')
  await expect.poll(() => rows(page).count()).toBe(count)
  expect(pageErrors).toEqual([])
})
