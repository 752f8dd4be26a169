import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import { listedNames, opened, pick, send } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('text is written in an editor, named, and uploaded, together with unsaved text', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByLabel('File name').fill('notes.json')
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('{"a": 1')
  await page.getByTestId('editor').locator('.cm-line span').first().waitFor()
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'editor-light-390')
  await page.getByRole('button', { name: 'Add to list' }).click()
  await pick(page, [
    { name: 'same.txt', bytes: Buffer.from('one') },
    { name: 'sub.txt', bytes: Buffer.from('two') },
  ])
  await page.getByRole('button', { name: 'Rename sub.txt' }).click()
  await page.getByLabel('New name').fill('same.txt')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByText('Another file in the list has this name').count()).toBe(2)

  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('still here')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await listedNames(page)).toEqual(['notes.json', 'same.txt', 'same.txt'])
  const link = await send(page)
  const id = new URLSearchParams(link.split('#/?')[1]).get('id') ?? ''
  const upload = await createClient({ baseURL: server.url }).upload(id)
  expect(upload.files.map(({ fileName }) => fileName).toSorted()).toEqual([
    'notes.json',
    'same.txt',
    'same.txt',
    'text.txt',
  ])
  expect(pageErrors).toEqual([])
})
