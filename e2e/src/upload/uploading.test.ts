import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, withMotion, screenshot, visit } from '../support/browser.ts'
import { choose, downloaded, listedNames, opened, send, sendButton } from '../support/page-actions.ts'
import { checkState } from '../support/page-checks.ts'
import { sdkExample } from '../support/samples/sdk-example.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { uploadIdOf } from '../support/uploads.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([
    startServer({ MAX_FILE_SIZE_STR: '3MB', ABUSE_CONTACT: 'a@b.example' }),
    launch(),
  ])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const fileNames = async (link: string) =>
  (await createClient({ baseURL: server.url }).upload(uploadIdOf(link))).files
    .map(({ fileName }) => fileName)
    .toSorted()

test('two files from the picker reach a recipient unchanged', async () => {
  const picked = [
    { name: 'café.bin', bytes: randomBytes(2_000_000) },
    { name: 'empty.txt', bytes: Buffer.alloc(0) },
  ]
  const sender = await visit(browser, server.url, withMotion)
  await sender.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await choose(sender.page, server.url, picked)
  const link = await send(sender.page)
  await sender.page.getByRole('button', { name: 'Copy link' }).first().click()
  await sender.page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await sender.page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await screenshot(sender.page, 'sent')

  const receiver = await visit(browser, server.url, withMotion)
  await receiver.page.goto(link)
  await receiver.page.getByRole('heading', { name: '2 files for you' }).waitFor()
  await screenshot(receiver.page, 'received')
  for (const { name, bytes } of picked) {
    const got = await downloaded(receiver.page, () =>
      receiver.page.getByRole('link', { name: `Download ${name}` }).click(),
    )
    expect(got.name).toBe(name)
    expect(got.bytes.equals(bytes)).toBe(true)
  }
  const archive = await downloaded(receiver.page, () =>
    receiver.page.getByRole('link', { name: /^Download all/ }).click(),
  )
  expect(archive.name).toBe(`${uploadIdOf(link)}.zip`)
  expect(archive.bytes.includes(picked[0]?.bytes ?? '')).toBe(true)
  expect([...sender.pageErrors, ...receiver.pageErrors]).toEqual([])
})

test('after the removal of a file by keyboard, the next one has the focus, and finally the button that adds files', async () => {
  const { page } = await visit(browser, server.url)
  const picked = ['a', 'b', 'c'].map((name) => ({ name, bytes: Buffer.from(name) }))
  await choose(page, server.url, picked)
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.getByRole('button', { name: 'Remove b from the list' }).focus()
  for (const next of ['Remove c from the list', 'Remove a from the list']) {
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe(next)
  }
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent.trim()))
    .toBe('Choose files')
})

test('a QR code of the link can be shown and saved', async () => {
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await choose(page, server.url, [{ name: 'a', bytes: Buffer.from('a') }])
  await send(page)
  await page
    .getByRole('button', { name: /^QR code/ })
    .first()
    .click()
  const image = page.getByRole('img', { name: 'QR code of the link' })
  await image.waitFor()
  const saved = await downloaded(page, () => page.getByRole('link', { name: 'Save image' }).click())
  expect(saved.name).toBe('qr-code.png')
  expect(saved.bytes.subarray(1, 4).toString()).toBe('PNG')
  await page.keyboard.press('Escape')
  await image.waitFor({ state: 'detached' })
  expect(pageErrors).toEqual([])
})

test('dropped files and pasted text are added', async () => {
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await page.goto(`${server.url}/`)
  await opened(page)
  const transfer = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    data.items.add(new File(['dropped'], 'dropped.txt'))
    return data
  })
  await page.dispatchEvent('footer', 'dragenter', { dataTransfer: transfer })
  await page.getByText('Drop to add files').waitFor()
  await checkState(page, 'dropping')
  await page.dispatchEvent('footer', 'drop', { dataTransfer: transfer })
  await sendButton(page).waitFor()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'pasted words')
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
  })
  await page.getByText('pasted.txt').waitFor()
  expect(await fileNames(await send(page))).toEqual(['dropped.txt', 'pasted.txt'])
  expect(pageErrors).toEqual([])
})

test('a folder keeps its structure', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-folder-'))
  await mkdir(path.join(folder, 'trip/day 1'), { recursive: true })
  await writeFile(path.join(folder, 'trip/plan.txt'), 'plan')
  await writeFile(path.join(folder, 'trip/day 1/photo.jpg'), 'photo')
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await page.goto(`${server.url}/`)
  await page.setInputFiles('[data-testid=folder]', path.join(folder, 'trip'))
  await sendButton(page).waitFor()
  const link = await send(page)
  expect(await fileNames(link)).toEqual(['trip/day 1/photo.jpg', 'trip/plan.txt'])
  await page.goto(link)
  await page.getByRole('heading', { name: '2 files for you' }).waitFor()
  const got = await downloaded(page, () => page.getByRole('link', { name: 'Download trip/plan.txt' }).click())
  expect(got.bytes.toString()).toBe('plan')
  expect(pageErrors).toEqual([])
  await rm(folder, { recursive: true })
})

async function rename(page: Page, from: string, to: string): Promise<void> {
  await page.getByRole('button', { name: `Rename ${from}` }).click()
  await page.getByLabel('New name').fill(to)
  await page.keyboard.press('Enter')
}

test('files can be renamed and removed, and one that is too large is rejected alone', async () => {
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await choose(page, server.url, [
    { name: 'good.txt', bytes: Buffer.from('good') },
    { name: 'gone.txt', bytes: Buffer.from('gone') },
    { name: 'huge.bin', bytes: Buffer.alloc(3_000_001) },
    { name: 'limit.bin', bytes: Buffer.alloc(3_000_000) },
  ])
  await page.getByText('Too large: the limit is 3 MB per file').waitFor()
  await page.getByRole('button', { name: 'Remove gone.txt from the list' }).click()
  await rename(page, 'good.txt', 'better.txt')
  await page.getByRole('button', { name: 'Rename limit.bin' }).click()
  await page.keyboard.type('never')
  await page.keyboard.press('Escape')
  expect(await listedNames(page)).toEqual(['better.txt', 'huge.bin', 'limit.bin'])
  await expect.poll(() => sendButton(page).textContent()).toContain('Upload 2 files')
  await checkState(page, 'too-large')
  expect(await fileNames(await send(page))).toEqual(['better.txt', 'limit.bin'])
  expect(pageErrors).toEqual([])
})

test('names that the server rejects are reported before an upload', async () => {
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await choose(page, server.url, [
    { name: 'fine.txt', bytes: Buffer.from('fine') },
    { name: 'photo\u202egpj.exe', bytes: Buffer.from('x') },
    { name: 'bell\u0007.txt', bytes: Buffer.from('y') },
  ])
  await page.getByText('change the writing direction').waitFor()
  await page.getByText('control characters').waitFor()
  // A name that pretends to be another is shown with its controls.
  const shown = ['bell\\u0007.txt', 'fine.txt', 'photo\\u202egpj.exe']
  expect((await listedNames(page)).toSorted()).toEqual(shown)
  await page.getByRole('button', { name: 'Remove photo\\u202egpj.exe from the list' }).waitFor()
  await checkState(page, 'forbidden-names')
  await expect.poll(() => sendButton(page).textContent()).toContain('Upload 1 file,')
  await rename(page, 'bell\\u0007.txt', 'bell.txt')
  const link = await send(page)
  expect((await listedNames(page)).toSorted()).toEqual(['bell.txt', 'fine.txt', 'photo\\u202egpj.exe'])
  expect(await fileNames(link)).toEqual(['bell.txt', 'fine.txt'])
  expect(pageErrors).toEqual([])
})

test('the abuse contact is in the footer of every page', async () => {
  const { page } = await visit(browser, server.url, withMotion)
  await page.goto(`${server.url}/`)
  await page.getByRole('link', { name: 'a@b.example' }).waitFor()
  await expect
    .poll(() => page.getByRole('link', { name: 'a@b.example' }).getAttribute('href'))
    .toBe('mailto:a@b.example')
})

test('the SDK uploads and downloads in a browser, as its README says', async () => {
  const { page, pageErrors } = await visit(browser, server.url, withMotion)
  await page.goto(`${server.url}/health`)
  await page.evaluate(await sdkExample())
  await page.evaluate('example()')
  await expect.poll(() => page.title()).toBe('hello')
  expect(pageErrors).toEqual([])
})
