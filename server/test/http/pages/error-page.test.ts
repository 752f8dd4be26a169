import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { filePath } from '@svc/contract'
import { errorIn, sendRequest } from '../../support/clients/send-request.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const navigation = {
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
}
const open = (path: string, headers: Record<string, string> = navigation) =>
  sendRequest(server.url, path, { headers })

/** A file that has been removed. */
async function goneFile() {
  const { upload, file, uploadToken, path } = await storeUpload(server, 'content')
  await server.client.removeFile(upload.id, file, { uploadToken })
  return { path, upload }
}

test('a person who opens the address of a file that is gone sees a page with a link to its upload', async () => {
  const { path, upload } = await goneFile()
  const { status, headers, text } = await open(path)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    404,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(text).toContain('<h1>No longer available</h1>')
  expect(text).toContain('The file has expired, was deleted, or was already downloaded.')
  expect(text).toContain('<p>Ask the sender for a new link.</p>')
  expect(text).toContain(`<a href="${server.url}/#/?id=${upload.id}">Show the upload</a>`)
})

test('the page has no script, and its policy allows its style and nothing else', async () => {
  const { path } = await goneFile()
  const { headers, text } = await open(path)
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; base-uri 'none'; /)
  expect(text).not.toMatch(/<script|javascript:| on\w+=/)
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).not.toContain('sandbox')
})

test('the page has the name of settings.json, as text', async () => {
  const webappDirectory = await mkdtemp(join(tmpdir(), 'svc-webapp-'))
  await writeFile(join(webappDirectory, 'settings.json'), '{ "name": "Files & <more>" // ours\n}')
  const named = await startTestServer({ config: { webappDirectory } })
  onTestFinished(() => named.close())
  const { text } = await sendRequest(named.url, '/file/0123456789abcdef/0123456789abcdef/a.txt', {
    headers: navigation,
  })
  expect(text).toContain('Files &amp; &lt;more&gt;</header>')
})

test.each(['/file/0123456789abcdef/0123456789abcdef/a.txt', '/archive/0123456789abcdef/all.zip'])(
  'without an upload, the page of %s leads to the start',
  async (path) => {
    const { status, text } = await open(path)
    expect(status).toBe(404)
    expect(text).toContain('This link does not work: it has expired, was deleted, or never existed.')
    expect(text).toContain(`<a href="${server.url}/">`)
  },
)

test.for(['/nonsense', '/no/such/page', '/assets/missing.js'])(
  'a person who opens the unknown address %s sees a page with a link to the start',
  async (path) => {
    const { status, headers, text } = await open(path)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(text).toContain('<h1>Page not found</h1>')
    expect(text).toContain(`<a href="${server.url}/">Upload files</a>`)
    expect(text).toContain('<svg')
    for (const requestHeaders of [{}, { accept: '*/*' }, { 'sec-fetch-mode': 'cors', accept: 'text/html' }])
      expect(errorIn(await open(path, requestHeaders))).toEqual({ status: 404, code: 'not_found' })
  },
)

test.for([
  ['/%ff', 400],
  ['/upload', 405],
] as const)('a person who opens the wrong address %s sees a page', async ([path, expected]) => {
  const { status, headers, text } = await open(path)
  expect([status, headers['content-type']]).toEqual([expected, 'text/html; charset=utf-8'])
  expect(text).toContain(`<h1>${String(expected)} `)
  expect(text).toContain(`<a href="${server.url}/">`)
})

test('the page is in the language of the browser, and has its direction', async () => {
  const german = await open('/nonsense', { ...navigation, 'accept-language': 'en;q=0.5, de-AT, de;q=0.9' })
  expect(german.text).toContain('<html lang="de" dir="ltr">')
  expect(german.text).toContain('<h1>Seite nicht gefunden</h1>')
  const { path } = await goneFile()
  const hebrew = await open(path, { ...navigation, 'accept-language': 'he' })
  expect(hebrew.text).toContain('<html lang="he" dir="rtl">')
  const unknown = await open('/nonsense', { ...navigation, 'accept-language': 'tlh, *;q=0.1' })
  expect(unknown.text).toContain('<html lang="en" dir="ltr">')
})

test('a browser that does not say how it asks gets the page by what it accepts', async () => {
  const { path } = await goneFile()
  const { headers } = await open(path, { accept: 'text/html, text/plain;q=0.5' })
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
})

test.for([
  ['a program', {}],
  ['a program that accepts anything', { accept: '*/*' }],
  ['a program that prefers JSON', { accept: 'application/json, text/html' }],
  ['a script of a page', { 'sec-fetch-mode': 'cors', accept: 'text/html' }],
  ['an image of a page', { 'sec-fetch-mode': 'no-cors', accept: 'image/*' }],
] as const)('%s gets the error as JSON', async ([, headers]) => {
  const { path } = await goneFile()
  expect(errorIn(await open(path, headers))).toEqual({ status: 404, code: 'file_not_found' })
})

test('hostile text of the address is text in the page', async () => {
  const id = encodeURIComponent('"><script>alert(1)</script>')
  const { text } = await open(filePath(id, id, '<b>.txt'))
  expect(text).not.toMatch(/<script|<b>/)
})

test('a person without the password keeps the question of the browser, and reads why', async () => {
  const { path } = await storeUpload(server, 'content', { login: 'ada', password: 'secret' })
  const { status, headers, text } = await open(path)
  expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="svc", charset="UTF-8"'])
  expect(text).toContain('<h1>401 Unauthorized</h1>')
})
