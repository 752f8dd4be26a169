import { archivePath, filePath } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, errorIn } from '../../support/clients/send-request.ts'
import { form, formType } from '../../support/clients/forms.ts'
import { storedFiles } from '../../support/servers/server-data.ts'
import { storeUpload } from '../../support/clients/stored-upload.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const bytes = 'application/octet-stream'
const text = 'text/plain; charset=utf-8'
const utf16 = (content: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le')])
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64') // prettier-ignore
const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\x02\0isomiso2mp41'),
  Buffer.alloc(40, 0x80),
])

const script = '<script>fetch("/auth/logout")</script>'

describe('the type comes from the content, and no active content is served', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['a page', `<!DOCTYPE html><html>${script}`, bytes],
    ['a page without a document type', `<html>${script}`, bytes],
    ['a script element alone', script, bytes],
    ['a page behind whitespace and a comment', `\n\n  <!-- x -->\n<body>${script}`, bytes],
    ['a page behind a byte order mark', `\ufeff<html>${script}`, bytes],
    ['a page in UTF-16', utf16(`<html>${script}`), bytes],
    ['a drawing', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`, bytes],
    [
      'a drawing behind an XML declaration',
      `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`,
      bytes,
    ],
    ['XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`, bytes],
    ['XML with a style sheet', '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#"?><a/>', bytes],
    ['a PDF', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<</JS(app.alert(1))>>', 'latin1'), bytes],
    ['a PDF that consists of text', '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\ntrailer\n', bytes],
    ['an archive', Buffer.from('504b0304140000000000', 'hex'), bytes],
    ['a program', Buffer.from(`7f454c46020101${'00'.repeat(60)}`, 'hex'), bytes],
    ['noise', Buffer.from([0x80, 0x81, 0x00, 0xff]), bytes],
    ['text', 'just text', text],
    ['a script file, as text that is not sniffed', 'alert(document.cookie)', text],
    ['nothing', '', text],
    ['a picture', png, 'image/png'],
    ['a film', mp4, 'video/mp4'],
  ])('%s', async (_kind, content, expected) => {
    // The declared name and type of the sender are ignored.
    const { upload, uploadToken } = await storeUpload(server, 'first')
    const claimed = `form-data; name="file"; filename="x.html"\r\nContent-Type: text/html`
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
    const body = form([{ content, disposition: claimed }])
    const sent = await sendRequest(server.url, `/file/${upload.id}`, { method: 'POST', headers, body })
    const { id } = JSON.parse(sent.text) as { readonly id: string }
    const served = await sendRequest(server.url, filePath(upload.id, id, 'x.html'))
    expect([served.headers['content-type'], served.headers['x-content-type-options']]).toEqual([
      expected,
      'nosniff',
    ])
    expect(served.body.equals(Buffer.from(content as string))).toBe(true)
  })
})

describe('an upload that is labelled as encrypted', () => {
  const encrypted = 'age-encryption.org/v1\n-> X25519 abc\n'

  test('accepts only encrypted files: a plain file is rejected and not kept', async () => {
    const fresh = await startTestServer()
    try {
      const { id, uploadToken } = await fresh.client.createUpload({ e2ee: 'age' })
      for (const content of [
        'canary',
        '',
        'age-encryption.org/v1',
        'age-encryption.org/v2\n',
        ` ${encrypted}`,
      ]) {
        const sending = fresh.client.addFile(id, new Blob([content]), { fileName: 'f', uploadToken })
        await expect(sending).rejects.toMatchObject({ status: 400, code: 'not_encrypted' })
      }
      const quick = await sendRequest(fresh.url, '/f?e2ee=age', { method: 'PUT', body: 'canary' })
      expect(quick.status).toBe(400)
      await fresh.clean()
      expect(storedFiles(fresh)).toEqual([])
    } finally {
      await fresh.close()
    }
  })

  test('is served as unknown bytes, its archive too', async () => {
    const { path, upload } = await storeUpload(server, encrypted, { e2ee: 'age' })
    for (const target of [path, archivePath(upload.id, 'a.zip')]) {
      expect((await sendRequest(server.url, target)).headers['content-type']).toBe(bytes)
    }
    expect((await sendRequest(server.url, path)).text).toBe(encrypted)
  })

  test('redirects the web application to its page, where it is decrypted', async () => {
    const { path, upload } = await storeUpload(server, encrypted, { e2ee: 'age', oneShot: true })
    for (const target of [path, `${path}?dl=1`, archivePath(upload.id, 'a.zip')]) {
      const {
        status,
        headers,
        text: body,
      } = await sendRequest(server.url, target, { headers: { 'x-clientapp': 'web_client' } })
      expect([status, headers.location, body]).toEqual([302, `/#/?id=${upload.id}`, ''])
    }
    expect((await sendRequest(server.url, path, { headers: { 'x-clientapp': 'cli_client' } })).text).toBe(
      encrypted,
    )
    expect(errorIn(await sendRequest(server.url, path)).status).toBe(404)
  })

  test('with a scheme that the server does not know accepts any bytes', async () => {
    const { path } = await storeUpload(server, 'opaque', { e2ee: 'openpgp' })
    expect((await sendRequest(server.url, path)).text).toBe('opaque')
  })
})
