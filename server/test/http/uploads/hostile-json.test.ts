import { UploadOptions, type Upload } from '@svc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const post = (body: string | Uint8Array, type = 'application/json') =>
  sendRequest(server.url, '/upload', { method: 'POST', headers: { 'content-type': type }, body })

const invalidJson = { status: 400, code: 'invalid_json' }
const invalidRequest = { status: 400, code: 'invalid_request' }

test.each<[string, string, object]>([
  ['text', 'hello', invalidJson],
  ['a truncated object', '{"ttl":1', invalidJson],
  ['text after the object', '{} {}', invalidJson],
  ['a single quote', "{'ttl':1}", invalidJson],
  ['a comment', '{/* */}', invalidJson],
  ['NaN', '{"ttl":NaN}', invalidJson],
  ['__proto__', '{"__proto__":{"oneShot":true}}', invalidJson],
  ['a nested __proto__', '{"files":[{"fileName":"a","__proto__":{}}]}', invalidJson],
  ['constructor.prototype', '{"constructor":{"prototype":{"oneShot":true}}}', invalidJson],
  ['null', 'null', invalidRequest],
  ['an array', '[]', invalidRequest],
  ['a number', '1', invalidRequest],
  ['a text', '"x"', invalidRequest],
  ['a number as text', '{"ttl":"60"}', invalidRequest],
  ['a boolean as text', '{"oneShot":"true"}', invalidRequest],
  ['a boolean as number', '{"oneShot":1}', invalidRequest],
  ['null for a name, which a file must have', '{"files":[{"fileName":null}]}', invalidRequest],
  ['an object for a text', '{"comments":{}}', invalidRequest],
  ['a list for a password', '{"password":["a"]}', invalidRequest],
  ['infinity', '{"ttl":1e999}', invalidRequest],
  ['an object for the files', '{"files":{"0":{"fileName":"a"}}}', invalidRequest],
  ['a file without a name', '{"files":[{}]}', invalidRequest],
  ['a file that is null', '{"files":[null]}', invalidRequest],
  ['a negative size', '{"files":[{"fileName":"a","fileSize":-1}]}', invalidRequest],
  ['half a byte', '{"files":[{"fileName":"a","fileSize":0.5}]}', invalidRequest],
  ['a number as name', '{"files":[{"fileName":1}]}', invalidRequest],
  ['lists 400,000 deep', '['.repeat(400_000), invalidJson],
  ['closed lists 400,000 deep', '['.repeat(400_000) + ']'.repeat(400_000), invalidRequest],
  [
    'objects 100,000 deep',
    '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000),
    { status: 200, code: undefined },
  ],
])('%s', async (_case, body, expected) => {
  expect(errorIn(await post(body))).toEqual(expected)
})

test('of a duplicate key the last value counts', async () => {
  expect((jsonIn(await post('{"ttl":5,"ttl":10}')) as Upload).ttl).toBe(10)
})

test('null in any optional field counts as absent', async () => {
  const nothing = Object.fromEntries(Object.keys(UploadOptions.properties).map((name) => [name, null]))
  const defaults = jsonIn(await post('{}')) as Upload
  const response = await post(JSON.stringify(nothing))
  expect(errorIn(response).status).toBe(200)
  const { id, uploadToken } = jsonIn(response) as Upload
  expect(jsonIn(response)).toEqual({ ...defaults, id, uploadToken })

  const files = [{ fileName: 'a', reference: null, fileSize: null }]
  const declared = jsonIn(await post(JSON.stringify({ files }))) as Upload
  expect(declared.files).toMatchObject([{ fileName: 'a', fileSize: 0 }])
  expect(declared.files[0]).not.toHaveProperty('reference')
})

test('fields that the server decides are ignored', async () => {
  const fields = {
    id: 'x'.repeat(16),
    uploadToken: 'mine',
    admin: false,
    createdAt: 'then',
    user: 'admin',
    expireAt: null,
  }
  const upload = jsonIn(await post(JSON.stringify(fields))) as Upload
  expect(upload).toMatchObject({ admin: true, expireAt: expect.stringMatching(/^2026/) as string })
  expect(upload.id).not.toBe(fields.id)
  expect(upload.uploadToken).toMatch(/^[0-9A-Za-z]{32}$/)
  expect(upload.user).toBeUndefined()
})

test('a body of 1 MiB is read, one of a byte more is rejected with 413', async () => {
  const filled = (size: number) => `{}${' '.repeat(size - 2)}`
  expect((await post(filled(1_048_576))).status).toBe(200)
  expect(errorIn(await post(filled(1_048_577)))).toEqual({ status: 413, code: 'body_too_big' })
})

test.each([
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'nonsense',
])('a body of the type %s is rejected with 415', async (type) => {
  expect(errorIn(await post('{}', type))).toEqual({ status: 415, code: 'unsupported_media_type' })
})

test.each(['application/json; charset=utf-8', 'Application/JSON'])(
  'a body of the type %s is JSON',
  async (type) => {
    expect((await post('{"ttl":7}', type)).status).toBe(200)
  },
)

test('a request without a body creates an upload with the defaults', async () => {
  const response = await sendRequest(server.url, '/upload', { method: 'POST' })
  expect(response.status).toBe(200)
  expect(jsonIn(response)).toMatchObject({
    ttl: 2_592_000,
    oneShot: false,
    comments: '',
    files: [],
    admin: true,
  })
})

test('a body that is not UTF-8 does not make the server fail', async () => {
  const { status } = await post(
    Buffer.from([...Buffer.from('{"comments":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
  )
  expect(status).toBeLessThan(500)
})
