import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

/** The limit for JavaScript and CSS of a first visit, in bytes of the transfer with gzip. */
const budget = 100_000

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** Scripts and styles of a first visit, in bytes of the transfer with gzip. */
async function weigh(path: string): Promise<{ bytes: number; encodings: string[]; foreign: string[] }> {
  const { page, offences } = await visit(browser, server.url)
  await page.route('**/*', (route) =>
    route.continue({ headers: { ...route.request().headers(), 'accept-encoding': 'gzip' } }),
  )
  const urls: string[] = []
  page.on('response', (response) => {
    if (['script', 'stylesheet'].includes(response.request().resourceType())) urls.push(response.url())
  })
  await page.goto(server.url + path)
  await opened(page)
  await page.waitForLoadState('networkidle')
  let bytes = 0
  const encodings = new Set<string>()
  for (const url of urls) {
    // Requested again outside of the browser, because the browser decompresses the body.
    const response = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
    bytes += Number(response.headers.get('content-length'))
    if (Number(response.headers.get('content-length')) > 512)
      encodings.add(response.headers.get('content-encoding') ?? 'none')
  }
  return { bytes, encodings: [...encodings], foreign: [...offences] }
}

test('the upload page', async () => {
  const { bytes, encodings, foreign } = await weigh('/')
  expect({ encodings, foreign }).toEqual({ encodings: ['gzip'], foreign: [] })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(budget)
})

test('the page of an upload', async () => {
  const sdk = createClient({ baseURL: server.url })
  const { uploadID } = await sdk.quickUpload(new Blob(['x']), { fileName: 'x' })
  const { bytes, encodings, foreign } = await weigh(`/#/?id=${uploadID}`)
  expect({ encodings, foreign }).toEqual({ encodings: ['gzip'], foreign: [] })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(budget)
})
