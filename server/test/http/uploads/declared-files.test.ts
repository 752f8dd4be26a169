import type { File, FileDeclaration, Upload } from '@svc/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { fileForm, formType } from '../../support/clients/forms.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

const max = 5

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { maxFilePerUpload: max, maxFileSize: 1_000 } })
})
afterAll(() => server.close())

const declare = (files: readonly FileDeclaration[]) =>
  sendRequest(server.url, '/upload', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  })

const send = ({ id, uploadToken = '' }: Upload, file: string, content = 'content', fileName = 'sent.txt') => {
  const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType }
  return sendRequest(server.url, `/file/${id}${file}`, {
    method: 'POST',
    headers,
    body: fileForm(content, fileName),
  })
}

const named = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ fileName: `f${String(index)}` }))

/** The first 32 files are read at once, then 64 of these names. */
test.each([31, 32, 33, 95, 96, 97, 350])(
  'an upload of %i files is described with all, in their order',
  async (count) => {
    const large = await startTestServer({ config: { maxFilePerUpload: count } })
    const fileName = (at: number) => `${String(count - at)}-${'ä'.repeat(250)}`
    const files = Array.from({ length: count }, (_none, at) => ({
      fileName: fileName(at),
      reference: String(at),
    }))
    const created = await large.client.createUpload({ files, comments: '"files":[]' })
    const { uploadToken, ...upload } = created
    const path = `/upload/${created.id}`
    const mine = await sendRequest(large.url, path, { headers: { 'x-uploadtoken': uploadToken ?? '' } })
    expect(jsonIn(mine)).toEqual({ ...upload, admin: true })
    const guest = await sendRequest(large.url, path)
    expect(jsonIn(guest)).toEqual({ ...upload, admin: false })
    expect(guest.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
    expect(guest.headers['transfer-encoding']).toBe(count > 32 ? 'chunked' : undefined)
    await large.close()
  },
)

describe('declared files', () => {
  test('are returned with ids, in their order, with reference, folders and size', async () => {
    const files = [
      { fileName: 'b/ä.txt', reference: '2', fileSize: 7 },
      { fileName: 'a.txt', reference: '1' },
      { fileName: 'a.txt' },
    ]
    const upload = jsonIn(await declare(files)) as Upload
    const missing = {
      md5: '',
      type: '',
      status: 'missing',
      id: expect.stringMatching(/^[0-9A-Za-z]{16}$/) as string,
    }
    expect(upload.files).toEqual([
      { ...missing, fileName: 'b/ä.txt', reference: '2', fileSize: 7 },
      { ...missing, fileName: 'a.txt', reference: '1', fileSize: 0 },
      { ...missing, fileName: 'a.txt', fileSize: 0 },
    ])
    expect(new Set(upload.files.map(({ id }) => id)).size).toBe(3)
    expect((await server.client.upload(upload.id)).files).toEqual(upload.files)
  })

  test('are sent once, under their declared name, which the form does not change', async () => {
    const upload = jsonIn(await declare([{ fileName: 'folder/a.txt', reference: 'r' }])) as Upload
    const path = `/${upload.files[0]?.id ?? ''}/folder/a.txt`
    expect(errorIn(await sendRequest(server.url, `/file/${upload.id}${path}`))).toEqual({
      status: 404,
      code: 'file_not_found',
    })
    const sent = jsonIn(await send(upload, path, 'hello', 'other.txt')) as File
    expect(sent).toMatchObject({
      fileName: 'folder/a.txt',
      reference: 'r',
      fileSize: 5,
      status: 'uploaded',
      type: 'text/plain',
    })
    expect((await sendRequest(server.url, `/file/${upload.id}${path}`)).text).toBe('hello')
    expect(errorIn(await send(upload, path, 'again'))).toEqual({ status: 409, code: 'file_not_missing' })
    expect((await sendRequest(server.url, `/file/${upload.id}${path}`)).text).toBe('hello')
  })

  test('accept exactly one of two parallel senders', async () => {
    const upload = jsonIn(await declare([{ fileName: 'a' }])) as Upload
    const path = `/${upload.files[0]?.id ?? ''}/a`
    const contents = Array.from({ length: 20 }, (_, index) => `content ${String(index)}`)
    const responses = await Promise.all(contents.map((content) => send(upload, path, content)))
    const won = responses.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(won).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(19)
    expect((await sendRequest(server.url, `/file/${upload.id}${path}`)).text).toBe(contents[won[0] ?? -1])
  })

  test('are not sent under another name, another id, or another upload', async () => {
    const upload = jsonIn(await declare([{ fileName: 'a' }])) as Upload
    const other = jsonIn(await declare([{ fileName: 'a' }])) as Upload
    const [mine = '', theirs = ''] = [upload, other].map(({ files }) => files[0]?.id)
    for (const path of [`/${mine}/b`, `/${mine}/A`, `/${mine}/a/`, `/${'x'.repeat(16)}/a`, `/${theirs}/a`]) {
      expect([path, errorIn(await send(upload, path))]).toEqual([
        path,
        { status: 404, code: 'file_not_found' },
      ])
    }
  })

  test('cannot be sent once they are removed', async () => {
    const upload = jsonIn(await declare([{ fileName: 'a' }])) as Upload
    const { uploadToken } = upload
    const file = upload.files[0] ?? { id: '', fileName: '' }
    await server.client.removeFile(upload.id, file, { uploadToken })
    expect(errorIn(await send(upload, `/${file.id}/a`))).toEqual({ status: 409, code: 'file_not_missing' })
  })

  test.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/..',
    './a',
    'a/.',
    'a\nb',
    'a\0',
    'a\u202eb',
    '\ud800',
  ])('are rejected with the name %j', async (fileName) => {
    expect(errorIn(await declare([{ fileName }]))).toEqual({ status: 400, code: 'invalid_file_name' })
  })

  test('are rejected when they declare more than the largest file size', async () => {
    expect((await declare([{ fileName: 'a', fileSize: 1_000 }])).status).toBe(200)
    expect(errorIn(await declare([{ fileName: 'a', fileSize: 1_001 }]))).toEqual({
      status: 413,
      code: 'file_too_big',
    })
  })
})

describe('the number of files', () => {
  const tooMany = { status: 400, code: 'too_many_files' }

  test('may be declared up to the limit', async () => {
    expect((await declare(named(max))).status).toBe(200)
    expect(errorIn(await declare(named(max + 1)))).toEqual(tooMany)
  })

  test('counts declared and sent files, but not removed ones', async () => {
    const upload = jsonIn(await declare(named(max - 1))) as Upload
    expect((await send(upload, '')).status).toBe(200)
    expect(errorIn(await send(upload, ''))).toEqual(tooMany)
    const { uploadToken } = upload
    await server.client.removeFile(upload.id, upload.files[0] ?? { id: '', fileName: '' }, { uploadToken })
    expect((await send(upload, '')).status).toBe(200)
    expect(errorIn(await send(upload, ''))).toEqual(tooMany)
  })

  test('with those that were removed is at most twice the limit', async () => {
    const upload = jsonIn(await declare([])) as Upload
    const { uploadToken } = upload
    for (let round = 0; round < 2 * max; round++) {
      const sent = await send(upload, '')
      await server.client.removeFile(upload.id, jsonIn(sent) as File, { uploadToken })
    }
    expect(errorIn(await send(upload, ''))).toEqual(tooMany)
    expect((await server.client.upload(upload.id)).files).toHaveLength(2 * max)
  })

  test('is enforced for many parallel senders', async () => {
    const upload = jsonIn(await declare([])) as Upload
    const responses = await Promise.all(Array.from({ length: 40 }, () => send(upload, '')))
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(max)
    expect(responses.filter((response) => errorIn(response).code === tooMany.code)).toHaveLength(40 - max)
    expect((await server.client.upload(upload.id)).files).toHaveLength(max)
  })

  test('does not count rejected files', async () => {
    const upload = jsonIn(await declare([])) as Upload
    for (let round = 0; round < max + 1; round++) {
      expect((await send(upload, '', 'x'.repeat(1_001))).status).toBe(413)
      expect((await send(upload, '', 'x', '..')).status).toBe(400)
    }
    expect((await send(upload, '')).status).toBe(200)
  })
})
