import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from '../support/axe.ts'
import { launch, screenshot, visit } from '../support/browser.ts'
import {
  flip,
  listedNames,
  openOptions,
  opened,
  pick,
  send,
  sendButton,
  shareLink,
} from '../support/page-actions.ts'
import { expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test('text is written in an editor, named, and uploaded, together with unsaved text', async () => {
  const { page, pageErrors } = await visit(browser, server.url, { viewport: { width: 390, height: 844 } })
  const content = page.getByTestId('editor').locator('.cm-content')
  const height = async () => (await page.locator('.cm-editor').boundingBox())?.height ?? 0
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByLabel('File name').fill('notes.json')
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.type('{"a": 1')
  await page.getByTestId('editor').locator('.cm-line span').first().waitFor()
  // Written text can be uploaded at once.
  await page.getByRole('button', { name: 'Upload 1 file, 7 bytes' }).waitFor()
  expect(await height()).toBeGreaterThanOrEqual(12 * 16)
  expect(await violations(page)).toEqual([])
  await screenshot(page, 'editor-light-390')
  await page.getByRole('button', { name: 'Add to list' }).click()
  await expectFocus(sendButton(page))
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
  // A long text scrolls in the editor.
  await content.fill(`still here${'\n'.repeat(200)}`)
  expect(await height()).toBeLessThanOrEqual(0.6 * 844)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await listedNames(page)).toEqual(['notes.json', 'same.txt', 'same.txt'])
  // Nothing is uploaded while an option is incomplete: the text stays in the editor.
  await openOptions(page)
  await flip(page, 'Password')
  await content.press('Control+Enter')
  await page.getByTestId('announcer').getByText('Enter a password').waitFor()
  await expectFocus(content)
  expect(await listedNames(page)).toEqual(['notes.json', 'same.txt', 'same.txt'])
  await flip(page, 'Password')
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

const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

test.for([
  { keys: 'Control+Enter', hint: 'Ctrl+Enter to upload', options: {} },
  { keys: 'Meta+Enter', hint: '⌘↩ to upload', options: { userAgent: mac } },
])('$keys in the editor uploads the text, and Enter alone adds a line', async ({ keys, hint, options }) => {
  const { page, pageErrors } = await visit(browser, server.url, options)
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.getByRole('button', { name: 'Write text' }).click()
  await page.getByText(hint).waitFor()
  await page.getByLabel('File name').press('Enter')
  await page.getByTestId('editor').locator('.cm-content').click()
  await page.keyboard.press(keys)
  await page.keyboard.type('first')
  await page.keyboard.press('Enter')
  await page.keyboard.type('second')
  await sendButton(page).getByText('12 bytes').waitFor()
  await page.keyboard.press(keys)
  await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  const sdk = createClient({ baseURL: server.url })
  const { id, files } = await sdk.upload(uploadIdOf(await shareLink(page)))
  const written = await Promise.all(files.map(async (file) => (await sdk.download({ id }, file)).text()))
  expect(written).toEqual(['first\nsecond'])
  expect(pageErrors).toEqual([])
})
