import { fingerprintOf, generateKeyPair } from '@svc/encryption'
import { createClient } from '@svc/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

/** Maximum bytes of JavaScript and CSS that a first visit transfers, with gzip. */
const maxFirstVisit = 105_000

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** The bytes of JavaScript and CSS that a first visit transfers, with gzip. */
async function measureFirstVisit(
  path: string,
): Promise<{ bytes: number; encodings: string[]; foreign: string[] }> {
  const { page, pageErrors } = await visit(browser, server.url)
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
  return { bytes, encodings: [...encodings], foreign: [...pageErrors] }
}

test('a first visit of the upload page stays below the limit', async () => {
  const { bytes, encodings, foreign } = await measureFirstVisit('/')
  expect({ encodings, foreign }).toEqual({ encodings: ['gzip'], foreign: [] })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(maxFirstVisit)
})

test('a first visit of the page of an upload stays below the limit', async () => {
  const sdk = createClient({ baseURL: server.url })
  const { uploadID } = await sdk.quickUpload(new Blob(['x']), { fileName: 'x' })
  const { bytes, encodings, foreign } = await measureFirstVisit(`/#/?id=${uploadID}`)
  expect({ encodings, foreign }).toEqual({ encodings: ['gzip'], foreign: [] })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(maxFirstVisit)
})

test('a first visit of the page of an upload request stays below the limit', async () => {
  const sdk = createClient({ baseURL: server.url })
  // The comparison of the key is part of the visit.
  const { recipient } = await generateKeyPair()
  const request = await sdk.createUploadRequest({ title: 'Files', recipient })
  const url = sdk.requestURL(request, await fingerprintOf(recipient))
  const { bytes, encodings, foreign } = await measureFirstVisit(url.slice(server.url.length))
  expect({ encodings, foreign }).toEqual({ encodings: ['gzip'], foreign: [] })
  expect(bytes).toBeGreaterThan(30_000)
  expect(bytes).toBeLessThanOrEqual(maxFirstVisit)
})
