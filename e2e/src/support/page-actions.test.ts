import { randomUUID } from 'node:crypto'
import { glob } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from './browser.ts'
import { pick } from './page-actions.ts'

const name = `${randomUUID()}.bin`
/** The copies of the picked file on the disk. */
const copies = () => Array.fromAsync(glob(`svc-e2e-picked-*/*/${name}`, { cwd: tmpdir() }))

let browser: Browser
let page: Page

// In `beforeAll`, because `npm run tour` also picks files outside a test.
beforeAll(async () => {
  browser = await launch()
  page = await browser.newPage()
  await page.setContent('<input type="file" data-testid="files">')
  await pick(page, [{ name, bytes: Buffer.alloc(1_000_001) }])
})
afterAll(() => browser.close())

test('a large file is picked from the disk, where it stays until the page is closed', async () => {
  const field = page.getByTestId('files')
  expect(await field.evaluate((input: HTMLInputElement) => input.files?.[0]?.size)).toBe(1_000_001)
  expect(await copies()).toHaveLength(1)
  await page.context().close()
  await expect.poll(copies).toEqual([])
})
