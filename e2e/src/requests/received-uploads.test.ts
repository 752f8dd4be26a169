import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logIn, signedIn, withAccounts } from '../support/accounts.ts'
import { launch, visit } from '../support/browser.ts'
import { downloaded } from '../support/page-actions.ts'
import { pageChecker, screenshotTimeout } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { listed, sendFile } from '../support/uploads.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(withAccounts), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

test(
  'uploads that came through a request stand apart from those that a user has sent, and open in the request',
  { timeout: screenshotTimeout },
  async () => {
    const { page, pageErrors } = await visit(browser, server.url)
    await logIn(page, server.url)
    const sdk = await signedIn(server.url)
    await sendFile(sdk, 'own.txt')
    await sendAs(browser, 'Ada', await ask(page, server.url))
    const plain = await sdk.createUploadRequest({ title: 'Invoices' })
    const bobs = await sdk.sendToUploadRequest(plain.id, { sender: 'Bob' })
    await sdk.addFile(bobs.id, new Blob(['x']), { fileName: 'may.pdf', uploadToken: bobs.uploadToken ?? '' })

    await page.goto(`${server.url}/#/home/uploads`)
    await page.getByText('3 uploads').waitFor()
    const row = (name: string) =>
      page.getByRole('region', { name: 'Uploads' }).locator('li.upload', { hasText: name })
    // The names of encrypted files are not readable here.
    expect(await listed(page)).toEqual(['may.pdf', 'own.txt'])
    await row('may.pdf').getByRole('link', { name: 'Received: Invoices' }).waitFor()
    await row('may.pdf').getByText('Bob').waitFor()
    const encryptedRow = row('Encrypted files')
    await encryptedRow.getByText('Ada').waitFor()
    // Only the owner can open what came, so there is no link to share.
    await expect.poll(() => page.getByRole('button', { name: /^Copy link/ }).count()).toBe(1)
    const checker = pageChecker(page, 'received')
    await checker.checkViews('uploads')

    await encryptedRow.getByRole('link', { name: 'Encrypted files' }).click()
    await received(page).getByText('report.pdf').waitFor()

    // The page of the upload asks for no passphrase. Its link leads nowhere for others, and files that are added would not be
    // encrypted for the request.
    const [upload] = (await sdk.myUploads({ e2ee: true })).results
    await page.goto(`${server.url}/#/?id=${upload?.id ?? ''}`)
    await page.getByText('The key of the request opens them.').waitFor()
    expect(
      await page.getByRole('button', { name: /^(?:Enter passphrase|Copy link|Add files)$/ }).count(),
    ).toBe(0)
    await checker.checkViews('page')
    await page.getByRole('link', { name: 'Open request' }).click()
    await received(page).getByText('report.pdf').waitFor()

    // What came is not what was sent, and does not take its place in the list of the latest.
    for (let index = 0; index < 20; index++) {
      const upload = await sdk.sendToUploadRequest(plain.id, { sender: 'Bob' })
      const uploadToken = upload.uploadToken ?? ''
      await sdk.addFile(upload.id, new Blob(['x']), { fileName: 'may.pdf', uploadToken })
    }
    await page.goto(`${server.url}/#/sent`)
    await page.getByRole('link', { name: 'own.txt' }).waitFor()
    expect(await page.getByRole('listitem').filter({ hasText: 'may.pdf' }).count()).toBe(0)
    expect([...checker.problems, ...pageErrors]).toEqual([])
  },
)

test('own uploads are found behind more than 100 received ones', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const sdk = await signedIn(server.url)
  for (let index = 0; index < 22; index += 1) await sendFile(sdk, `own ${String(index)}.txt`)
  const { id } = await sdk.createUploadRequest({ title: 'Invoices' })
  for (let index = 0; index < 105; index += 1) await sdk.sendToUploadRequest(id, { sender: 'Bob' })
  await logIn(page, server.url)
  await page.goto(`${server.url}/#/sent`)
  await page.getByRole('link', { name: 'own 21.txt' }).waitFor()
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await page.getByRole('link', { name: 'own 0.txt' }).waitFor()
  expect(pageErrors).toEqual([])
})

test('a long name of a sender in another writing direction begins where its card does', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await logIn(page, server.url)
  const sdk = await signedIn(server.url)
  const { id } = await sdk.createUploadRequest({ title: 'Invoices' })
  const { uploadToken = '', ...upload } = await sdk.sendToUploadRequest(id, {
    sender: 'עדה '.repeat(20).trim(),
  })
  await sdk.addFile(upload.id, new Blob(['x']), { fileName: 'may.pdf', uploadToken })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${server.url}/#/home/requests?id=${id}`)
  const name = received(page).locator('h3 bdi')
  const lines = await name.evaluate((bdi) => {
    const start = bdi.closest('h3')?.getBoundingClientRect().left ?? Number.NaN
    return Array.from(bdi.getClientRects(), ({ left }) => Math.round(left - start))
  })
  expect(lines.length).toBeGreaterThan(1)
  expect(lines).toEqual(lines.map(() => 0))
  expect(pageErrors).toEqual([])
})

test('a zip of the files of several senders has a folder for each', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const link = await ask(page, server.url, { encrypt: false })
  const [id = ''] = /(?<=id=)\w+/.exec(link) ?? []
  const sdk = createClient({ baseURL: server.url })
  const folders: string[] = []
  for (const sender of ['Ada', 'Grace/Hopper']) {
    const upload = await sdk.sendToUploadRequest(id, { sender })
    const { uploadToken } = upload
    await sdk.addFile(upload.id, new Blob([sender]), { fileName: 'report.txt', uploadToken })
    folders.push(`${sender.replace('/', '_')} ${upload.id}/report.txt`)
  }
  await page.goto(`${server.url}/#/requests?id=${id}`)
  await received(page).first().waitFor()
  const { name, bytes } = await downloaded(page, () =>
    page.getByRole('button', { name: /^Download all/ }).click(),
  )
  expect(name).toBe('Photos of the party.zip')
  expect(folders.filter((path) => bytes.includes(path))).toEqual(folders)
  expect(pageErrors).toEqual([])
})
