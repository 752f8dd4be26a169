import type { File } from '@svc/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest, jsonIn, errorIn } from '../../support/clients/send-request.ts'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { openSockets } from '../../support/machine/descriptors.ts'
import { boundary, fileForm, form, formType, partHead, type FormPart } from '../../support/clients/forms.ts'
import { rawConnection, requestHead } from '../../support/clients/raw-connection.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { until } from '../../support/until.ts'

let server: TestServer
/** Path and headers of a request that adds a file. */
let route: { readonly path: string; readonly headers: Readonly<Record<string, string>> }

let socketsBefore: number

beforeAll(async () => {
  server = await startTestServer()
  // Fetch keeps connections open: as many as the tests use at once.
  await Promise.all([server.client.createUpload(), server.client.createUpload()])
  socketsBefore = openSockets()
})
afterAll(async () => {
  await until('every connection is closed', () => openSockets() <= socketsBefore)
  await server.close()
})
beforeEach(async () => {
  const { id, uploadToken = '' } = await server.client.createUpload()
  route = { path: `/file/${id}`, headers: { 'x-uploadtoken': uploadToken, 'content-type': formType } }
})

const post = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  sendRequest(server.url, route.path, { method: 'POST', headers: { ...route.headers, ...headers }, body })

const content = '0123456789'
const whole = fileForm(content)
const tail = Buffer.byteLength(`\r\n--${boundary}--`)
/** Every position in the head and in the tail of a form, and some of its content. */
const cuts = Array.from({ length: whole.length - '\r\n'.length }, (_, index) => index)

describe('an invalid form', () => {
  afterEach(() => expectNothingLeft(server))

  test('truncated at every byte, by a client that ends its request: 400, and nothing is kept', async () => {
    const errorResponses = await Promise.all(
      cuts.map(async (at) => ({ at, ...errorIn(await post(whole.subarray(0, at))) })),
    )
    const expected = {
      status: 400,
      code: expect.stringMatching(/^(invalid_multipart|missing_file)$/) as string,
    }
    expect(errorResponses).toEqual(cuts.map((at) => ({ at, ...expected })))
  })

  test('truncated at every byte, by a client whose connection dies', async () => {
    await Promise.all(
      cuts.map(async (at) => {
        const connection = await rawConnection(server.url)
        const head = requestHead('POST', route.path, { ...route.headers, 'content-length': whole.length })
        await connection.send(Buffer.concat([Buffer.from(head), whole.subarray(0, at)]))
        if (at % 2 === 0) connection.cut()
        else connection.socket.destroy()
      }),
    )
  })

  test('truncated at every byte, by a client that closes its side and continues to read', async () => {
    await Promise.all(
      cuts.map(async (at) => {
        const connection = await rawConnection(server.url)
        const head = requestHead('POST', route.path, { ...route.headers, 'content-length': whole.length })
        await connection.send(Buffer.concat([Buffer.from(head), whole.subarray(0, at)]))
        connection.socket.end()
        expect((await connection.rest()).toString()).not.toContain('"status":"uploaded"')
      }),
    )
  })

  const file: FormPart = { fileName: 'a.txt', content }
  const field: FormPart = { name: 'comment', content: 'text' }
  test.each<[string, Buffer, string]>([
    ['has no part', form([]), 'missing_file'],
    ['is empty', Buffer.alloc(0), 'invalid_multipart'],
    ['is not a form', Buffer.from('just text'), 'invalid_multipart'],
    [
      'has another boundary',
      Buffer.from(whole.toString().replaceAll(boundary, 'other')),
      'invalid_multipart',
    ],
    ['has no terminator', whole.subarray(0, -tail), 'invalid_multipart'],
    [
      'has a terminator that lacks a dash',
      Buffer.from(whole.toString().replace(/--\r\n$/, '-\r\n')),
      'invalid_multipart',
    ],
    ['has line feeds alone', form([file], { lineEnd: '\n' }), 'invalid_multipart'],
    ['has only fields', form([field, field]), 'missing_file'],
    ['has the file in a part of another name', form([{ ...file, name: 'upload' }]), 'missing_file'],
    ['has the file in a part with an empty name', form([{ ...file, name: '' }]), 'missing_file'],
    [
      'has a part without a name',
      form([{ content, disposition: 'form-data; filename="a.txt"' }]),
      'missing_file',
    ],
    [
      'has a part without a disposition',
      Buffer.from(`--${boundary}\r\n\r\n${content}\r\n--${boundary}--\r\n`),
      'missing_file',
    ],
    ['has the file field without a file name', form([{ name: 'file', content }]), 'missing_file'],
    ['has an empty file name', form([{ fileName: '', content }]), 'invalid_file_name'],
    ['has two files', form([file, file]), 'invalid_multipart'],
    [
      'has a file and a second one of another name',
      form([file, { ...file, name: 'x' }]),
      'invalid_multipart',
    ],
    [
      'has 100 fields before its file',
      form([...Array<FormPart>(100).fill(field), file]),
      'invalid_multipart',
    ],
    ['has 100 fields after its file', form([file, ...Array<FormPart>(100).fill(field)]), 'invalid_multipart'],
    [
      'has a head of 1 MB',
      form([{ content, disposition: `form-data; name="file"; filename="${'a'.repeat(1_000_000)}"` }]),
      '4xx',
    ],
    ['has a name of 1 MB', form([{ name: 'n'.repeat(1_000_000), fileName: 'a.txt', content }]), '4xx'],
    ['has a head that never ends', Buffer.from(`--${boundary}\r\nX: ${'a'.repeat(1_000_000)}`), '4xx'],
  ])('because it %s', async (_fault, body, code) => {
    const rejected = errorIn(await post(body))
    const codes = code === '4xx' ? ['invalid_multipart', 'missing_file', 'invalid_file_name'] : [code]
    expect(codes).toContain(rejected.code)
    expect(rejected.status).toBe(400)
  })

  test.each([
    ['names no boundary', 'multipart/form-data', 'invalid_multipart', 400],
    ['names an empty boundary', 'multipart/form-data; boundary=', 'invalid_multipart', 400],
    ['is another multipart type', `multipart/mixed; boundary=${boundary}`, 'unsupported_media_type', 415],
    ['is JSON', 'application/json', 'unsupported_media_type', 415],
    [
      'is a type with the same prefix',
      `multipart/form-database; boundary=${boundary}`,
      'unsupported_media_type',
      415,
    ],
  ])('because its content type %s', async (_fault, type, code, status) => {
    expect(errorIn(await post(whole, { 'content-type': type }))).toEqual({ status, code })
  })

  test('because it has a million tiny parts: it is rejected early, and costs little memory', async () => {
    const parts = Buffer.from(`${partHead({ name: 'a', content: '' })}1\r\n`.repeat(1_000))
    const before = process.memoryUsage().rss
    const connection = await rawConnection(server.url)
    const headers = { ...route.headers, 'content-length': parts.length * 1_000 }
    await connection.send(requestHead('POST', route.path, headers))
    const response = connection.response()
    for (let thousand = 0; thousand < 1_000; thousand++) await connection.send(parts)
    expect((await response).status).toBe(400)
    connection.cut()
    // A part that is kept takes more than twice its few bytes; the client in this process takes memory, too.
    expect(process.memoryUsage().rss - before).toBeLessThan(2 * parts.length * 1_000)
  })
})

describe('a valid form', () => {
  const text = '--\r\n--\n\r\n- '
  test.each<[string, Buffer, string]>([
    ['one file', whole, content],
    ['an empty file', fileForm(''), ''],
    ['without the last line end', whole.subarray(0, -2), content],
    [
      'with something before and after',
      Buffer.concat([Buffer.from('preamble\r\n'), whole, Buffer.from('epilogue')]),
      content,
    ],
    [
      'with fields before and after',
      form([
        { name: 'a', content: '1' },
        { fileName: 'f', content },
        { name: 'b', content: '2' },
      ]),
      content,
    ],
    ['bytes that look like an end', fileForm(text), text],
    ['a boundary within the content', fileForm(`x--${boundary}--x`), `x--${boundary}--x`],
    [
      'a boundary with one letter less',
      fileForm(`\r\n--${boundary.slice(0, -1)}\r\n`),
      `\r\n--${boundary.slice(0, -1)}\r\n`,
    ],
  ])('%s', async (_kind, body, stored) => {
    const response = await post(body)
    expect(response.status).toBe(200)
    const { id, fileName, fileSize, status } = jsonIn(response) as File
    expect({ fileSize, status }).toEqual({ fileSize: stored.length, status: 'uploaded' })
    expect((await sendRequest(server.url, `${route.path}/${id}/${fileName}`)).text).toBe(stored)
  })

  test('sent byte by byte', async () => {
    const connection = await rawConnection(server.url)
    await connection.send(
      requestHead('POST', route.path, { ...route.headers, 'content-length': whole.length }),
    )
    for (const byte of whole) await connection.send(Uint8Array.of(byte))
    const { status, body } = await connection.response()
    expect([status, (JSON.parse(body.toString()) as File).fileSize]).toEqual([200, content.length])
    connection.cut()
  })
})
