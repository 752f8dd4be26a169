import { limits } from '@svc/contract'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, screenshot, visit } from '../support/browser.ts'
import { largePicture, picture } from '../support/samples/media.ts'
import { startServer, type StartedServer } from '../support/server.ts'
import { ask, received, sendAs } from './asking.ts'

let server: StartedServer
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** ms, on a busy machine. */
const timeout = 90_000
const sent = [
  { name: 'one.png', bytes: Buffer.from(largePicture()) },
  { name: 'two.png', bytes: Buffer.from(picture) },
  { name: 'notes.txt', bytes: Buffer.from('no picture') },
]

/** What a sender's tab has kept of its uploads. */
const receiptsIn = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((name) => name.startsWith('svc-receipts'))
    const kept = JSON.parse(sessionStorage.getItem(key ?? '') ?? '{}') as {
      latest?: { id: string; uploadToken: string }
    }
    return kept.latest ?? { id: '', uploadToken: '' }
  })

test.for([
  ['encrypted', true],
  ['not encrypted', false],
] as const)('the owner sees pictures of what a sender has sent: %s', async ([name, encrypt]) => {
  const { page, pageErrors } = await visit(browser, server.url)
  const link = await ask(page, server.url, { encrypt })
  const sender = await sendAs(browser, 'Bob', link, sent)
  const { id, uploadToken } = await receiptsIn(sender)
  const sdk = createClient({ baseURL: server.url })
  const stored = async () => (await sdk.upload(id, { uploadToken })).files
  await expect
    .poll(async () => (await stored()).filter(({ preview }) => preview === true).length, { timeout })
    .toBe(2)
  const requests = { files: 0, previews: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/file/')) requests.files += 1
    if (pathname.startsWith('/preview/')) requests.previews += 1
  })
  await page.reload()
  await received(page).waitFor()
  const pictures = received(page).locator('.thumbnail img')
  const widths = () => pictures.evaluateAll((all) => all.map((img) => (img as HTMLImageElement).naturalWidth))
  await expect.poll(widths, { timeout }).toEqual([112, 112])
  expect(requests).toEqual({ files: 0, previews: 2 })
  await screenshot(page, `received-previews-${name.replace(' ', '-')}`)
  const file = (await stored()).find(({ preview }) => preview === true)
  if (file === undefined) throw new Error('no preview')
  const preview = await (await sdk.preview({ id }, file, { uploadToken })).arrayBuffer()
  const head = Buffer.from(preview).subarray(0, 22).toString()
  expect([head === 'age-encryption.org/v1\n', preview.byteLength <= limits.previewBytes]).toEqual([
    encrypt,
    true,
  ])
  expect(pageErrors).toEqual([])
})
