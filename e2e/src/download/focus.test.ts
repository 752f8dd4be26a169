import type { Browser, Page } from 'playwright-core'
import { createClient } from '@svc/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { chunk, passphrase, uploadEncrypted, withPassphrase } from '../support/encryption/encrypted-upload.ts'
import { encrypted } from '../support/encryption/age.ts'
import { opened } from '../support/page-actions.ts'
import { expectFocus } from '../support/page-checks.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

const plain = new Uint8Array(2 * chunk).fill(65)

/** Holds the downloads of a page until the returned function is called. */
async function holdDownloads(page: Page): Promise<() => void> {
  const release = Promise.withResolvers<undefined>()
  await page.route(/\/file\//, async (route) => {
    await release.promise
    await route.continue()
  })
  return () => {
    release.resolve(undefined)
  }
}

test.for(['Download all as ZIP', 'Download'])(
  'the focus is at “%s” again when the download is cancelled, and when it has ended',
  async (name) => {
    const content = await encrypted(plain, passphrase)
    const names = name === 'Download' ? ['a.bin'] : ['a.bin', 'b.bin']
    const link = await uploadEncrypted(server.url, Object.fromEntries(names.map((file) => [file, content])))
    const { page, pageErrors } = await visit(browser, server.url)
    await page.goto(withPassphrase(link))
    await opened(page)
    const release = await holdDownloads(page)
    const start = page.getByRole('link', name === 'Download' ? { name, exact: true } : { name })
    const cancel = page.getByRole('button', { name: 'Cancel' })
    await start.focus()
    await page.keyboard.press('Enter')
    await cancel.waitFor()
    await expectFocus(start)
    await expect.poll(() => start.getAttribute('aria-disabled')).toBe('true')
    await cancel.focus()
    await page.keyboard.press('Enter')
    await cancel.waitFor({ state: 'detached' })
    await expectFocus(start)
    await page.keyboard.press('Enter')
    await cancel.focus()
    release()
    await page.getByText('Decrypted and saved').or(page.getByText('Downloaded.')).waitFor()
    await expectFocus(start)
    expect(pageErrors).toEqual([])
  },
)

const sdk = () => createClient({ baseURL: server.url })
async function pageOf(names: readonly string[], options = {}): Promise<string> {
  const files = names.map((fileName) => ({ reference: fileName, fileName }))
  const upload = await sdk().createUpload({ ...options, files })
  const { uploadToken } = upload
  for (const { id: fileID, fileName = '' } of upload.files)
    await sdk().addFile(upload.id, new Blob(['text']), { fileName, fileID, uploadToken })
  return sdk().pageURL(upload)
}

test('when the viewer of an only file is closed, the focus is at the button that has opened it', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(await pageOf(['a.txt']))
  await opened(page)
  const view = page.getByRole('link', { name: 'View', exact: true })
  await view.focus()
  await page.keyboard.press('Enter')
  await page.locator('.viewer').getByText('text').waitFor()
  await page.keyboard.press('Escape')
  await expectFocus(view)
  expect(pageErrors).toEqual([])
})

test('when the viewer of a file in a closed folder is closed, the focus is at the folder', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  const names = Array.from({ length: 22 }, (_, index) => `${index < 11 ? 'one' : 'two'}/${String(index)}.txt`)
  const list = await pageOf(names)
  const { files } = await sdk().upload(/id=(\w+)/.exec(list)?.[1] ?? '')
  const file = files.find(({ fileName }) => fileName === 'two/20.txt')
  await page.goto(`${list}&file=${file?.id ?? ''}`)
  await page.locator('.viewer').getByText('text').waitFor()
  await page.getByRole('button', { name: 'Back to all files' }).click()
  await expectFocus(page.getByRole('button', { name: 'two', exact: true }))
  expect(pageErrors).toEqual([])
})

test('when a one-shot file was viewed and nothing is left, the focus is at the heading', async () => {
  const { page, pageErrors } = await visit(browser, server.url)
  await page.goto(await pageOf(['a.txt'], { oneShot: true }))
  await opened(page)
  await page.getByRole('link', { name: 'View', exact: true }).click()
  await page.locator('.viewer').getByRole('button').click()
  await page.locator('.viewer').getByText('text').waitFor()
  await page.getByRole('button', { name: 'Back to all files' }).focus()
  await page.keyboard.press('Enter')
  await expectFocus(page.getByRole('heading', { level: 1 }))
  expect(pageErrors).toEqual([])
})
