import { encodeFileName, filePath, type File, type Upload } from '@svc/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
let upload: Upload
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  upload = await server.client.createUpload()
})

const sendForm = (fileName: string) => {
  const headers = { 'x-uploadtoken': upload.uploadToken ?? '', 'content-type': formType }
  return sendRequest(server.url, `/file/${upload.id}`, {
    method: 'POST',
    headers,
    body: fileForm('content', fileName),
  })
}

const invalid = { status: 400, code: 'invalid_file_name' }

describe('a name in a form', () => {
  test.each<[string, string, string]>([
    ['1,024 characters', 'a'.repeat(1_024), 'a'.repeat(1_024)],
    ['1,024 emoji', '💾'.repeat(1_024), '💾'.repeat(1_024)],
    ['other scripts, composed and decomposed', 'größe größe 文件 ملف', 'größe größe 文件 ملف'],
    ['a backslash', 'a\\b.txt', 'a\\b.txt'],
    ['a path of Windows', 'C:\\temp\\b.txt', 'C:\\temp\\b.txt'],
    ['a path, of which the last segment counts', '/home/me/b.txt', 'b.txt'],
    ['a quote as browsers escape it', 'a%22b', 'a"b'],
    ['a percent sign', '100%.txt', '100%.txt'],
    ['a text that resembles an escape', 'a%41b', 'a%41b'],
    ['blanks around', ' a ', ' a '],
    ['a leading dot', '.hidden', '.hidden'],
    ['three dots', '...', '...'],
    ['markup', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['punctuation', "a;b=c&d'e`f$g|h", "a;b=c&d'e`f$g|h"],
  ])('%s is kept, and is part of the URL', async (_kind, name, stored) => {
    const response = await sendForm(name)
    expect([response.status, (jsonIn(response) as File).fileName]).toEqual([200, stored])
    const { id } = jsonIn(response) as File
    expect((await sendRequest(server.url, filePath(upload.id, id, stored))).text).toBe('content')
  })

  test.each<[string, string]>([
    ['1,025 characters', 'a'.repeat(1_025)],
    ['1,025 emoji', '💾'.repeat(1_025)],
    ['a line break as browsers escape it', 'a%0Ab'],
    ['a carriage return as browsers escape it', 'a%0d%0aX: y'],
    ['a NUL', 'a\0b'],
    ['an escape character', 'a\u001b[2Jb'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\u007fb'],
    ['a C1 control', 'a\u0085b'],
    ['a line separator', 'a\u2028b'],
    ['an override of direction', 'a\u202egpj.exe'],
    ['an isolate of direction', 'a\u2066b'],
    ['a mark of direction', 'a\u200fb'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['a path that ends in two dots', '/etc/..'],
    ['a path that ends in a slash', 'folder/'],
  ])('%s is rejected', async (_kind, name) => {
    expect(errorIn(await sendForm(name))).toEqual(invalid)
    expect((await server.client.upload(upload.id)).files).toEqual([])
  })
})

test.each(['%00', 'a%0Ab', '%E2%80%AE', 'a'.repeat(1_025), '%F0%9F%92%BE'.repeat(1_025), '%ED%A0%80'])(
  'a name in the URL of a raw upload is rejected: %s',
  async (name) => {
    expect((await sendRequest(server.url, `/${name}`, { method: 'PUT', body: 'x' })).status).toBe(400)
  },
)

test('1,024 emoji fit into the URL of a raw upload', async () => {
  const name = '💾'.repeat(1_024)
  const response = await sendRequest(server.url, `/${encodeFileName(name)}`, { method: 'PUT', body: 'x' })
  expect(response.status).toBe(200)
  expect((await sendRequest(server.url, response.text.trim().replace(server.url, ''))).text).toBe('x')
})

describe('the name in the URL of a file', () => {
  const store = async (fileName: string) => {
    const { id, uploadToken, files } = await server.client.createUpload({ files: [{ fileName }] })
    const fileID = files[0]?.id ?? ''
    await server.client.addFile(id, new Blob(['content']), { fileName, uploadToken, fileID })
    return `/file/${id}/${fileID}`
  }

  test('must be the name of the file', async () => {
    const base = await store('Name.txt')
    const others = [
      'name.txt',
      'Name.txt%20',
      'Name',
      'Name.txt/',
      '',
      'x/Name.txt',
      'Name.txt%00',
      'N%61me.tx',
      '%4eame.tXt',
    ]
    for (const other of others) {
      expect([other, errorIn(await sendRequest(server.url, `${base}/${other}`))]).toEqual([
        other,
        { status: 404, code: 'file_not_found' },
      ])
    }
    expect((await sendRequest(server.url, `${base}/%4eame.txt`)).text).toBe('content')
    expect((await sendRequest(server.url, `${base}/Name.txt?x=y`)).text).toBe('content')
  })

  test('may contain folders with slashes, escaped or not', async () => {
    const base = await store('a/b c/d.txt')
    for (const name of ['a/b%20c/d.txt', 'a%2Fb%20c%2Fd.txt', 'a%2fb%20c/d.txt']) {
      expect([name, (await sendRequest(server.url, `${base}/${name}`)).text]).toEqual([name, 'content'])
    }
    expect((await sendRequest(server.url, `${base}/d.txt`)).status).toBe(404)
  })
})

/**
 * Reads the name that a browser would offer (RFC 6266 §4.3, RFC 8187 §3.2), independently of the code that
 * writes it.
 */
function offeredName(header: string): string {
  const extended = /;\s*filename\*=UTF-8''([^;]*)$/i.exec(header)?.[1]
  if (extended !== undefined) {
    expect(extended).toMatch(/^(?:[A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-Fa-f]{2})*$/)
    return decodeURIComponent(extended)
  }
  const quoted = /;\s*filename="((?:[^"\\]|\\.)*)"$/.exec(header)?.[1]
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? /;\s*filename=([^\s;"]+)$/.exec(header)?.[1] ?? ''
}

const anyName = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('"', '\\', '%', '2', "'", ';', '=', '*', ' ', 'é', '💾', '.', ','),
      minLength: 1,
    }),
  )
  .filter(
    (name) =>
      name.isWellFormed() && !/[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069/]/u.test(name),
  )
  .filter((name) => name !== '.' && name !== '..')

test('a file with any name is found at its URL and offered under its name', async () => {
  await fc.assert(
    fc.asyncProperty(anyName, async (fileName) => {
      const { id, uploadToken, files } = await server.client.createUpload({ files: [{ fileName }] })
      const fileID = files[0]?.id ?? ''
      await server.client.addFile(id, new Blob(['x']), { fileName, uploadToken, fileID })
      const path = filePath(id, fileID, fileName)
      const { status, headers } = await sendRequest(server.url, `${path}?dl=1`)
      expect(status).toBe(200)
      const disposition = headers['content-disposition'] ?? ''
      expect(disposition).toMatch(/^attachment; filename[\x20-\x7e]+$/)
      expect(offeredName(disposition)).toBe(fileName)
    }),
    { numRuns: 300 },
  )
})
