import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@svc/sdk'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, visit } from '../support/browser.ts'
import { opened } from '../support/page-actions.ts'
import { startServer, type StartedServer } from '../support/server.ts'

let server: StartedServer
let browser: Browser

beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launch()])
})
afterAll(() => Promise.all([server.stop(), browser.close()]))

/** The URL to which a running script reports: on the same server. */
const report = '/health?ran'
const script = `fetch('${report}').catch(() => {}); document.title = 'ran'; try { new Image().src = '${report}' } catch {}`

const pdf = [
  '%PDF-1.7',
  '1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj',
  'trailer<</Root 1 0 R>>',
].join('\n')

const documents = [
  { name: 'page.html', type: 'text/html', text: `<!doctype html><script>${script}</script>` },
  {
    name: 'page.htm',
    type: 'text/html',
    text: `<html><body onload="${script.replaceAll('"', '&quot;')}">x</body></html>`,
  },
  {
    name: 'picture.svg',
    type: 'image/svg+xml',
    text: `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`,
  },
  {
    name: 'page.xhtml',
    type: 'application/xhtml+xml',
    text: `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>//<![CDATA[\n${script}\n//]]></script></body></html>`,
  },
  {
    name: 'feed.xml',
    type: 'application/xml',
    text: `<?xml version="1.0"?><x><h:script xmlns:h="http://www.w3.org/1999/xhtml">//<![CDATA[\n${script}\n//]]></h:script></x>`,
  },
  {
    name: 'innocent.txt',
    type: 'text/html',
    text: `<!doctype html><title>x</title><script>${script}</script>`,
  },
  { name: 'image.png', type: 'text/html', text: `<html><script>${script}</script></html>` },
] as const

/** Opens a URL as a user does; a download instead of a page is fine, too. */
async function open(page: Page, url: string): Promise<'shown' | 'saved'> {
  try {
    await page.goto(url)
  } catch (error) {
    if (error instanceof Error && error.message.includes('Download is starting')) return 'saved'
    throw error
  }
  await page.waitForLoadState('networkidle')
  return 'shown'
}

/** Opens a URL, and returns whether a script ran. */
async function runs(url: string): Promise<boolean> {
  const { page, context } = await visit(browser, new URL(url).origin)
  const reports: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith(report)) reports.push(request.url())
  })
  page.on('dialog', (dialog) => {
    reports.push(dialog.message())
    void dialog.dismiss()
  })
  const how = await open(page, url)
  const title = how === 'shown' ? await page.title() : ''
  await context.close()
  return reports.length > 0 || title === 'ran'
}

test('the documents do run their script on a server that allows it', async () => {
  const careless = createServer((request, response) => {
    const found = documents.find(({ name }) => request.url === `/${name}`)
    response.setHeader('content-type', found?.type ?? 'text/plain').end(found?.text ?? '')
  }).listen(0, '127.0.0.1')
  await once(careless, 'listening')
  const base = `http://127.0.0.1:${String((careless.address() as AddressInfo).port)}`
  const ran: Record<string, boolean> = {}
  for (const { name } of documents) ran[name] = await runs(`${base}/${name}`)
  careless.closeAllConnections()
  careless.close()
  expect(ran).toEqual(Object.fromEntries(documents.map(({ name }) => [name, true])))
})

describe('an uploaded document runs no script', () => {
  test.for([...documents, { name: 'paper.pdf', type: 'application/pdf', text: pdf }])(
    '$name',
    async ({ name, text }) => {
      const sdk = createClient({ baseURL: server.url })
      const upload = await sdk.createUpload()
      const blob = new Blob([text])
      const file = await sdk.addFile(upload.id, blob, { fileName: name, uploadToken: upload.uploadToken })
      const url = sdk.fileURL(upload, file)
      const archive = `${server.url}/archive/${upload.id}/all.zip`
      const addresses = [
        url,
        `${url}?dl=0`,
        `${url}?dl=1`,
        url.replace('/file/', '/stream/'),
        archive,
        `${archive}?dl=0`,
      ]
      const ran: boolean[] = []
      for (const address of addresses) ran.push(await runs(address))
      expect(ran).toEqual(addresses.map(() => false))
    },
  )
})

test('an uploaded document cannot be loaded into a frame or a script of our page', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const access = { uploadToken: upload.uploadToken }
  const html = await sdk.addFile(upload.id, new Blob([documents[0].text]), { fileName: 'a.html', ...access })
  const code = await sdk.addFile(upload.id, new Blob([script]), { fileName: 'a.js', ...access })
  const { page, context } = await visit(browser, server.url, { bypassCSP: true })
  let ran = false
  context.on('request', (request) => {
    if (request.url().endsWith(report)) ran = true
  })
  await page.goto(`${server.url}/`)
  await opened(page)
  await page.evaluate(
    ([frame = '', source = '']) => {
      const inFrame = document.createElement('iframe')
      inFrame.src = frame
      const asScript = document.createElement('script')
      asScript.src = source
      document.body.append(inFrame, asScript)
    },
    [sdk.fileURL(upload, html), sdk.fileURL(upload, code)],
  )
  await page.waitForLoadState('networkidle')
  expect(ran).toBe(false)
})

test('an uploaded script cannot become a service worker', async () => {
  const sdk = createClient({ baseURL: server.url })
  const upload = await sdk.createUpload()
  const text = 'self.addEventListener("fetch", (event) => event.respondWith(new Response("owned")))'
  const fileName = 'worker.js'
  const file = await sdk.addFile(upload.id, new Blob([text]), { fileName, uploadToken: upload.uploadToken })
  const { page } = await visit(browser, server.url, { bypassCSP: true })
  await page.goto(`${server.url}/`)
  const outcome = await page.evaluate(
    async (url) => {
      const attempt = async (options: RegistrationOptions) => {
        try {
          await navigator.serviceWorker.register(url, options)
          return 'registered'
        } catch (error) {
          return error instanceof Error ? error.name : 'unknown'
        }
      }
      const outcomes = [await attempt({}), await attempt({ scope: '/' }), await attempt({ type: 'module' })]
      return { outcomes, left: (await navigator.serviceWorker.getRegistrations()).length }
    },
    sdk.fileURL(upload, file),
  )
  expect(outcome).toEqual({ outcomes: ['TypeError', 'TypeError', 'TypeError'], left: 0 })
  const response = await fetch(sdk.fileURL(upload, file), { headers: { 'service-worker': 'script' } })
  expect([response.status, (await response.json()) as unknown]).toMatchObject([
    403,
    { code: 'service_worker_refused' },
  ])
})
