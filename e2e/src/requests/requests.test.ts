import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { downloaded, opened, pick, sendButton } from '../support/page-actions.ts'
import { checkState, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const run = promisify(execFile)

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const phone = { viewport: { width: 390, height: 780 } }
const picked = ['report.pdf', 'trip/photo.jpg'].map((name) => ({ name, bytes: Buffer.from(name) }))
const received = (page: Page) => page.getByTestId('received')

/** Makes a request in the form. Returns the link for its senders. */
async function ask(page: Page, { encrypt = true } = {}): Promise<string> {
  await page.goto(`${server.url}/#/requests`)
  await page.getByRole('textbox', { name: 'What do you need?' }).fill('Photos of the party')
  await page.getByRole('textbox', { name: /^Message/ }).fill('All of them, **please**')
  if (!encrypt) {
    await page.getByRole('button', { name: 'More options' }).click()
    await page.getByRole('switch', { name: 'End-to-end encryption' }).click()
  }
  await page.getByRole('button', { name: 'Create link' }).click()
  return page.getByRole('textbox', { name: 'Link for senders' }).inputValue()
}

/** Sends files as a stranger with a phone. */
async function sendAs(name: string, link: string): Promise<Page> {
  const { page, pageErrors } = await visit(browser, server.url, phone)
  await page.goto(link)
  await page.getByRole('heading', { name: 'Photos of the party' }).waitFor()
  await page.getByRole('textbox', { name: /^Your name/ }).fill(name)
  await pick(page, picked)
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'Thank you. Your files have arrived' }).waitFor()
  await page.getByRole('button', { name: 'Save receipt' }).waitFor()
  expect(pageErrors).toEqual([])
  return page
}

test(
  'a stranger sends files, and the owner sees who sent them, and downloads one and all',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Ask for files' }).click()
    await page.getByRole('heading', { name: 'File requests' }).waitFor()
    await checkState(page, 'request-new')
    const link = await ask(page, { encrypt: false })
    expect(link).toMatch(/\/#\/request\?id=[0-9A-Za-z]{16}$/)
    await page.getByText('Nothing has arrived yet').waitFor()

    const sender = await sendAs('Ada', link)
    const receipt = await downloaded(sender, () =>
      sender.getByRole('button', { name: 'Save receipt' }).click(),
    )
    expect(receipt.bytes.toString()).toMatch(/^[0-9a-f]{32} {2}report\.pdf {2}10$/m)

    await page.goto(`${server.url}/#/requests`)
    await page.getByText('1 new', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Photos of the party', exact: true }).click()
    await received(page).getByRole('heading', { name: /Ada/ }).waitFor()
    await received(page).getByText('New', { exact: true }).waitFor()
    const one = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(one).toEqual({ name: 'report.pdf', bytes: Buffer.from('report.pdf') })
    const all = await downloaded(page, () => page.getByRole('button', { name: 'Save as ZIP' }).click())
    expect(all.bytes.includes('trip/photo.jpg')).toBe(true)
    await checkState(page, 'request-inbox')

    // Seen now.
    await page.goto(`${server.url}/#/requests`)
    await page.getByText('Uploads: 1').waitFor()
    expect(await page.getByText('1 new', { exact: true }).count()).toBe(0)
    expect(pageErrors).toEqual([])
  },
)

test(
  'files of an encrypted request open only with the key of its owner, in this browser, another one and with age',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const link = await ask(page)
    expect(link).toMatch(/&key=[\w-]{43}$/)
    await page.getByRole('heading', { name: 'Save the key now' }).waitFor()
    await checkState(page, 'request-made')
    const key = await downloaded(page, () => page.getByRole('button', { name: 'Save key' }).click())
    await page.getByRole('heading', { name: 'You have saved the key' }).waitFor()
    await sendAs('Bob', link)

    // The server has neither names nor contents.
    const id = /id=(\w+)/.exec(link)?.[1] ?? ''
    const requestToken = await page.evaluate(() => {
      const stored = Object.keys(localStorage).find((name) => name.startsWith('svc-request ')) ?? ''
      return (JSON.parse(localStorage.getItem(stored) ?? '') as { requestToken: string }).requestToken
    })
    const sdk = createClient({ baseURL: server.url })
    const [upload] = (await sdk.receivedUploads(id, {}, { requestToken })).results
    const [stored] = upload?.files ?? []
    if (upload === undefined || stored === undefined) throw new Error('nothing has arrived')
    expect(upload.files.every(({ fileName }) => /^[\w-]+\.age$/.test(fileName))).toBe(true)
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-e2e-request-'))
    const response = await sdk.download({ id: upload.id }, stored, { requestToken })
    await writeFile(path.join(folder, 'file.age'), Buffer.from(await response.arrayBuffer()))
    await writeFile(path.join(folder, 'key.txt'), key.bytes)
    const { stdout } = await run('age', [
      '-d',
      '-i',
      path.join(folder, 'key.txt'),
      path.join(folder, 'file.age'),
    ])
    expect(picked.map(({ name }) => name)).toContain(stdout)
    await rm(folder, { recursive: true })

    await page.reload()
    const one = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(one).toEqual({ name: 'report.pdf', bytes: Buffer.from('report.pdf') })
    await checkState(page, 'request-inbox-encrypted')

    // Another browser has the token, but not the key.
    await page.evaluate(() => {
      const stored = Object.keys(localStorage).find((name) => name.startsWith('svc-request ')) ?? ''
      const { key, ...rest } = JSON.parse(localStorage.getItem(stored) ?? '') as { key: unknown }
      localStorage.setItem(stored, JSON.stringify({ ...rest, had: key !== undefined }))
    })
    await page.reload()
    await page.getByRole('heading', { name: 'Enter the key' }).waitFor()
    expect(await page.getByRole('button', { name: /^Download / }).count()).toBe(0)
    await checkState(page, 'request-key')
    await page.getByRole('textbox', { name: 'Key' }).fill('nothing')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByText('This text contains no key.').waitFor()
    await page.getByRole('textbox', { name: 'Key' }).fill(key.bytes.toString())
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    const again = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(again.bytes.toString()).toBe('report.pdf')
    expect(pageErrors).toEqual([])
  },
)

test(
  'a swapped recipient is refused before files can be chosen',
  { timeout: screenshotTimeout },
  async () => {
    const { page: owner } = await visit(browser, server.url)
    const link = await ask(owner)
    const { page } = await visit(browser, server.url, phone)
    const naming = (recipient: string) =>
      page.route(/\/request\/\w+$/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), recipient } })
      })
    for (const [recipient, words] of [
      ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p', /names another key/],
      ['', /asks for encryption/],
    ] as const) {
      await page.unrouteAll()
      await naming(recipient)
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByRole('heading', { name: 'Nothing was sent' }).waitFor()
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      expect(await page.locator('input[type=file]').count()).toBe(0)
      await checkState(page, `request-swapped-${recipient === '' ? 'plain' : 'other'}`)
    }
  },
)

test('a closed, a deleted and an unknown request say so', { timeout: screenshotTimeout }, async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, { encrypt: false })
  const { page } = await visit(browser, server.url, phone)
  await page.goto(link)
  await pick(page, picked)
  await owner.getByRole('button', { name: 'Close request' }).click()
  await owner.getByText('Closed', { exact: true }).waitFor()
  // It was closed after the page was opened.
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
  await checkState(page, 'request-closed')
  await owner.getByRole('button', { name: 'Open again' }).click()
  await owner.getByRole('textbox', { name: 'Link for senders' }).waitFor()
  await owner.getByRole('button', { name: 'Delete request' }).click()
  await owner.getByRole('button', { name: 'Delete', exact: true }).click()
  await owner.getByRole('heading', { name: 'File requests' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await checkState(page, 'request-gone')
})

test(
  'a protected request with limits asks for the password and the name, and refuses other files',
  { timeout: screenshotTimeout },
  async () => {
    const sdk = createClient({ baseURL: server.url })
    const request = await sdk.createUploadRequest({
      title: 'Reports of a very long year, with all that belongs to them',
      message: '# Please\n\n- as PDF\n- <script>alert(1)</script>[link](https://example.org)',
      password: 'hush',
      senderName: 'required',
      extensions: ['pdf'],
      maxFiles: 3,
      maxFileSize: 1000,
      maxSize: 2000,
    })
    const { page, pageErrors } = await visit(browser, server.url, phone)
    const checker = pageChecker(page, 'request')
    await page.goto(sdk.requestURL(request))
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong password.').waitFor()
    await checker.checkViews('password')
    await page.getByLabel('Password').fill('hush')
    await page.keyboard.press('Enter')
    await page.getByTestId('comments').waitFor()
    await checker.checkViews('start')
    await pick(page, [...picked, { name: 'large.pdf', bytes: Buffer.alloc(1001) }])
    await page.getByText('Enter your name.').waitFor()
    expect(await sendButton(page).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada')
    await checker.checkViews('chosen')
    await sendButton(page).click()
    await page.getByRole('button', { name: 'Save receipt' }).waitFor()
    await checker.checkViews('sent')
    expect(await page.getByText('Only these kinds of files: .pdf').count()).toBe(1)
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('the pages of an owner fit their windows', { timeout: screenshotTimeout }, async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const checker = pageChecker(page, 'requests')
  await page.goto(`${server.url}/#/requests`)
  await opened(page)
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByRole('switch', { name: 'Only one upload' }).waitFor()
  await checker.checkViews('form')
  const link = await ask(page)
  await checker.checkViews('made')
  await sendAs('Ada Lovelace', link)
  await page.reload()
  await received(page).waitFor()
  await checker.checkViews('inbox')
  await page.goto(`${server.url}/#/requests`)
  await page.getByText('Uploads: 1').waitFor()
  await checker.checkViews('list')
  expect([...checker.problems, ...pageErrors]).toEqual([])
})
