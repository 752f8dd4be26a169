import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { downloaded, listedNames, pick, sendButton } from '../support/page-actions.ts'
import { checkState, describedField, pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { logIn, withAccounts } from '../support/accounts.ts'
import { ask, phone, picked, received, sendAs } from './asking.ts'
import { startServer, type StartedServer } from '../support/server.ts'

const run = promisify(execFile)

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test(
  'a stranger sends files, and the owner sees who sent them, and downloads one and all',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'Ask for files' }).click()
    await page.getByRole('heading', { name: 'Ask for files' }).waitFor()
    await checkState(page, 'request-new')
    const link = await ask(page, server.url, { encrypt: false })
    expect(link).toMatch(/\/#\/request\?id=[0-9A-Za-z]{16}$/)
    await page.getByText('Nothing has arrived yet').waitFor()
    // An open page of the request would show what arrives, which is then no longer new.
    await page.goto('about:blank')

    const sender = await sendAs(browser, 'Ada', link)
    const receipt = await downloaded(sender, () =>
      sender.getByRole('button', { name: 'Save receipt' }).click(),
    )
    expect(receipt.bytes.toString()).toMatch(/^[0-9a-f]{32} {2}report\.pdf {2}10$/m)
    // Each file is listed once, also after a reload, which sends nothing again.
    const names = () => listedNames(sender)
    expect((await names()).toSorted()).toEqual(['photo.jpg', 'report.pdf', 'trip'])
    await sender.reload()
    await sender.getByRole('heading', { name: 'Thank you, your files have arrived' }).waitFor()
    await expect.poll(async () => (await names()).toSorted()).toEqual(['photo.jpg', 'report.pdf', 'trip'])
    await sender.getByRole('button', { name: 'Send more files' }).click()
    await sender.getByRole('heading', { name: 'Photos of the party' }).waitFor()
    expect(await names()).toEqual([])

    await page.goto(`${server.url}/#/requests`)
    await page.getByText('1 new', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Photos of the party', exact: true }).click()
    await received(page).getByRole('heading', { name: /Ada/ }).waitFor()
    await received(page).getByText('New', { exact: true }).waitFor()
    const report = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(report).toEqual({ name: 'report.pdf', bytes: Buffer.from('report.pdf') })
    const all = await downloaded(page, () => page.getByRole('button', { name: 'Save as ZIP' }).click())
    expect([all.name, all.bytes.includes('trip/photo.jpg')]).toEqual(['Photos of the party – Ada.zip', true])
    const folder = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download trip', exact: true }).click(),
    )
    expect([
      folder.name,
      folder.bytes.includes('trip/photo.jpg'),
      folder.bytes.includes('report.pdf'),
    ]).toEqual(['trip.zip', true, false])
    await page.getByRole('checkbox', { name: 'Select trip', exact: true }).hover()
    await page.locator('.tooltip:not([hidden])').getByText('Select trip').waitFor()
    await page.getByRole('checkbox', { name: 'Select trip', exact: true }).check()
    const photo = page.getByRole('checkbox', { name: 'Select trip/photo.jpg' })
    await expect.poll(() => photo.isChecked()).toBe(true)
    const some = await downloaded(page, () =>
      page.getByRole('button', { name: /^Download selected/ }).click(),
    )
    expect([some.name, some.bytes.includes('trip/photo.jpg'), some.bytes.includes('report.pdf')]).toEqual([
      'Photos of the party.zip',
      true,
      false,
    ])
    await checkState(page, 'request-inbox')

    // Seen now.
    await page.goto(`${server.url}/#/requests`)
    await page.getByText('Uploads: 1').waitFor()
    // The list of before stays until it is loaded again.
    await page.getByText('1 new', { exact: true }).waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
  },
)

test('on a phone, the keyboard goes down the page of a request: the fields of the sender, then the files, then the button', async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, server.url, { encrypt: false })
  const { page, pageErrors } = await visit(browser, server.url, phone)
  await page.goto(link)
  await pick(page, picked)
  await sendButton(page).waitFor()
  // The rows of folders load with the first of them.
  await page.getByRole('button', { name: 'Remove trip from the list' }).waitFor()
  const reached: string[] = []
  await page.getByRole('textbox', { name: /^Your name/ }).focus()
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName ?? '',
      ),
    )
  }
  expect(reached).toEqual(['TEXTAREA', 'trip', 'Remove trip from the list'])
  const tops = await page
    .locator('form textarea, form .files, form .send')
    .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().top))
  expect(tops).toEqual(tops.toSorted((a, b) => a - b))
  expect(pageErrors).toEqual([])
})

test(
  'files of an encrypted request open only with the key of its owner, in this browser, another one and with age',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    const link = await ask(page, server.url)
    expect(link).toMatch(/&key=[\w-]{43}$/)
    await page.getByRole('heading', { name: 'Save the key now' }).waitFor()
    await checkState(page, 'request-made')
    // The sheet to print has the key, and nothing else of the page.
    await page.evaluate(() => {
      globalThis.print = () => undefined
    })
    await page.getByRole('button', { name: 'Print key' }).click()
    await page.emulateMedia({ media: 'print' })
    await page.getByText('AGE-SECRET-KEY-1').waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await screenshot(page, 'request-printed')
    await page.emulateMedia({ media: null })
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    const key = await downloaded(page, () => page.getByRole('button', { name: 'Save key' }).click())
    await page.getByRole('heading', { name: 'You have saved the key' }).waitFor()
    const sender = await sendAs(browser, 'Bob', link)
    await sender.getByText('Only the person who asked for them can open them.').waitFor()
    await sender.getByRole('button', { name: 'Details: MD5 checksums' }).click()
    await sender.getByText('Hashes, and the sizes in the saved receipt').waitFor()

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
    const report = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(report).toEqual({ name: 'report.pdf', bytes: Buffer.from('report.pdf') })
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
    expect(await describedField(page, 'Key')).toEqual(['true', 'This text contains no key.'])
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
    const link = await ask(owner, server.url)
    const { page } = await visit(browser, server.url, phone)
    const naming = (recipient: string) =>
      page.route(/\/request\/\w+$/, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...((await response.json()) as object), recipient } })
      })
    for (const [recipient, words] of [
      ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p', /names a different key/],
      ['', /promises encryption/],
    ] as const) {
      await page.unrouteAll()
      await naming(recipient)
      await page.goto('about:blank')
      await page.goto(link)
      await page.getByRole('heading', { name: 'Do not send files here' }).waitFor()
      await page.getByRole('alert').filter({ hasText: words }).waitFor()
      expect(await page.locator('input[type=file]').count()).toBe(0)
      await checkState(page, `request-swapped-${recipient === '' ? 'plain' : 'other'}`)
    }
  },
)

test('a closed, a deleted and an unknown request say so', { timeout: screenshotTimeout }, async () => {
  const { page: owner } = await visit(browser, server.url)
  const link = await ask(owner, server.url, { encrypt: false })
  const { page } = await visit(browser, server.url, phone)
  await page.goto(link)
  await pick(page, picked)
  await owner.getByRole('button', { name: 'Close request' }).click()
  await owner.getByText('Closed', { exact: true }).waitFor()
  // It was closed after the page was opened.
  await sendButton(page).click()
  await page.getByRole('heading', { name: 'This request is closed' }).waitFor()
  await page.getByText('ask the person who sent you this link').waitFor()
  await page.getByRole('link', { name: 'Upload files' }).waitFor()
  await checkState(page, 'request-closed')
  await owner.getByRole('button', { name: 'Open again' }).click()
  await owner.getByRole('textbox', { name: 'Link for senders' }).waitFor()
  await owner.getByRole('button', { name: 'Delete request' }).click()
  await owner.getByRole('button', { name: 'Delete', exact: true }).click()
  // Without a request, the page is the form.
  await owner.getByRole('heading', { name: 'Ask for files' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No longer available' }).waitFor()
  await page.getByText('This request does not exist or has expired.').waitFor()
  await page.getByText('ask the person who sent you this link').waitFor()
  await page.getByRole('link', { name: 'Upload files' }).waitFor()
  await checkState(page, 'request-gone')
})

test(
  'a user finds the requests in the account, extends one and deletes what came',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await logIn(page, server.url)
    const link = await ask(page, server.url)
    expect(page.url()).toMatch(/#\/home\/requests\?id=/)
    const checker = pageChecker(page, 'requests-account')
    await checker.checkViews('made')
    await sendAs(browser, 'Bob', link)
    await page.reload()
    await received(page).getByRole('heading', { name: /Bob/ }).waitFor()
    const report = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download report.pdf' }).click(),
    )
    expect(report.bytes.toString()).toBe('report.pdf')
    await page.getByRole('button', { name: 'Change expiry' }).click()
    await page.getByRole('group', { name: 'Expires in' }).getByText('1 hour', { exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const id = /id=(\w+)/.exec(link)?.[1] ?? ''
    const sdk = createClient({ baseURL: server.url })
    const soon = Date.now() + 3_700_000
    await expect
      .poll(async () => Date.parse((await sdk.openUploadRequest(id)).expireAt ?? '') < soon, {
        timeout: 90_000,
      })
      .toBe(true)
    await page.getByRole('button', { name: 'Delete upload' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Nothing has arrived yet').waitFor()
    await page.getByRole('link', { name: 'File requests' }).last().click()
    await page.getByRole('link', { name: 'Photos of the party', exact: true }).waitFor()
    await checker.checkViews('list')
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)
