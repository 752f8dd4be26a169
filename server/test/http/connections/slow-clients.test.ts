import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { resumablePath, tusPath } from '@svc/contract'
import { expectNothingLeft } from '../../support/servers/nothing-left.ts'
import { sendRequest } from '../../support/clients/send-request.ts'
import { formType, partHead } from '../../support/clients/forms.ts'
import { rawConnection, requestHead, type RawConnection } from '../../support/clients/raw-connection.ts'
import { storedBytes } from '../../support/servers/server-data.ts'
import { startTestServer, type TestServer } from '../../support/servers/test-server.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'
import { until } from '../../support/until.ts'
import { becomes, declareStream, openDownload, openSender, partEnd, partStart } from '../../stream/streams.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer({ config: { minUploadSpeed: 50, streamTimeout: 3_600 } })
})
afterEach(() => server.close())

const timedOut = { status: 408, code: 'request_timeout' }

/**
 * Advances the clock until something is over.
 * @returns its result, and the seconds that it took
 */
async function advanceUntil<Result>(work: Promise<Result>) {
  const start = server.clock.now()
  let isOver = false
  const ended = work.finally(() => (isOver = true))
  await until('it is over', () => {
    server.clock.advance(1_000)
    return isOver
  })
  return { result: await ended, seconds: (server.clock.now() - start) / 1000 }
}

/** The response to a connection that stops sending, and the seconds until it. */
async function responseInTime(connection: RawConnection) {
  const { result, seconds } = await advanceUntil(connection.response())
  const { code } = JSON.parse(result.body.toString()) as { readonly code?: string }
  return { errorResponse: { status: result.status, code }, seconds }
}

/** A connection whose server has read the head of a request, and waits for the body. */
async function startRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>>,
) {
  const connection = await rawConnection(server.url)
  await connection.send(requestHead(method, path, { ...headers, expect: '100-continue' }))
  expect((await connection.take(25)).toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  return connection
}

describe('a body that is not a file', () => {
  const json = { 'content-type': 'application/json', 'content-length': 2 }

  test('has half a minute', async () => {
    const connection = await startRequest('POST', '/upload', json)
    await connection.send('{')
    server.clock.advance(29_000)
    await connection.send('}')
    expect((await connection.response()).status).toBe(200)
    connection.cut()
  })

  test('times out with a response', async () => {
    const connection = await startRequest('POST', '/upload', json)
    await connection.send('{')
    server.clock.advance(31_000)
    const { status, body } = await connection.response()
    expect([status, JSON.parse(body.toString())]).toMatchObject([408, { code: 'request_timeout' }])
    expect((await connection.rest()).length).toBe(0)
  })

  test('that is not read closes its connection', async () => {
    for (const path of ['/config', '/nowhere']) {
      const connection = await startRequest('GET', path, { 'content-length': 10 })
      await connection.response()
      await advanceUntil(connection.rest())
    }
  })
})

describe('a body with a file', () => {
  test('ends when its mean rate is too low, and nothing of it remains', async () => {
    const connection = await rawConnection(server.url)
    await connection.send(requestHead('PUT', '/name', { 'content-length': 1_000_000 }) + 'few')
    // As text, since the response is for a terminal.
    const { result, seconds } = await advanceUntil(connection.response())
    expect([result.status, seconds >= 60]).toEqual([408, true])
    await expectNothingLeft(server)
  })

  test('continues while its rate is high enough', async () => {
    const bytes = 4 * mebibyte
    const connection = await startRequest('PUT', '/name', { 'content-length': bytes + 1 })
    await connection.send(Buffer.alloc(bytes))
    // The server has read far more than the minimum by then.
    await until('most of the file is stored', () => storedBytes(server) >= bytes - mebibyte)
    // It reads the rest between these requests, and then waits for the last byte: only then is the rate measured.
    for (let request = 0; request < 50; request++) await fetch(new URL('/health', server.url))
    server.clock.advance(61_000)
    await connection.send(Buffer.alloc(1))
    expect((await connection.response()).status).toBe(200)
    connection.cut()
  })

  test('in a form ends as well', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { 'x-uploadtoken': uploadToken, 'content-type': formType, 'content-length': 1_000_000 }
    const connection = await rawConnection(server.url)
    const begin = partHead({ fileName: 'a', content: '' })
    await connection.send(requestHead('POST', `/file/${id}`, headers) + begin)
    expect((await responseInTime(connection)).errorResponse).toEqual(timedOut)
    await until('it is removed', async () =>
      (await server.client.upload(id)).files.every(({ status }) => status === 'removed'),
    )
  })
})

describe('a part that stalls keeps the received bytes', () => {
  test('by tus', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { 'x-uploadtoken': uploadToken, 'tus-resumable': '1.0.0' }
    const metadata = `filename ${Buffer.from('a').toString('base64')}`
    const create = { ...headers, 'upload-length': 1_000, 'upload-metadata': metadata }
    const created = await sendRequest(server.url, `/tus/${id}`, { method: 'POST', headers: create })
    const path = tusPath(id, String(created.headers.location).split('/').at(-1) ?? '')
    const part = { 'upload-offset': 0, 'content-type': 'application/offset+octet-stream' }
    const connection = await rawConnection(server.url)
    await connection.send(
      requestHead('PATCH', path, { ...headers, ...part, 'content-length': 1_000 }) + '0123456789',
    )
    const { errorResponse, seconds } = await responseInTime(connection)
    expect([errorResponse, seconds >= 60]).toEqual([timedOut, true])
    const state = await sendRequest(server.url, path, { method: 'HEAD', headers })
    expect(state.headers['upload-offset']).toBe('10')
  })

  test('by the draft of the IETF', async () => {
    const { id, uploadToken = '' } = await server.client.createUpload()
    const headers = { 'x-uploadtoken': uploadToken, 'upload-draft-interop-version': 8 }
    const connection = await rawConnection(server.url)
    await connection.send(
      requestHead('POST', `/resumable/${id}?fileName=a`, {
        ...headers,
        'upload-complete': '?1',
        'content-length': 1_000,
      }) + '0123456789',
    )
    expect((await responseInTime(connection)).errorResponse).toEqual(timedOut)
    const [file] = (await server.client.upload(id, { uploadToken })).files
    const path = resumablePath(id, file?.id ?? '')
    const state = await sendRequest(server.url, path, { method: 'HEAD', headers })
    expect(state.headers['upload-offset']).toBe('10')
  })
})

test('a stream that waits for its recipient may stall', async () => {
  const declared = await declareStream(server)
  const sender = await openSender(server.url, declared, { size: 10 })
  await sender.send(partStart)
  await becomes(server, declared, 'uploading')
  server.clock.advance(600_000)
  const download = await openDownload(server.url, declared.path)
  await sender.send(`0123456789${partEnd}`)
  expect((await download.response()).body.toString()).toBe('0123456789')
  expect((await sender.response()).status).toBe(200)
  for (const connection of [sender, download]) connection.cut()
})

test('a rejected connection is closed, although its other end stays open', async () => {
  const connection = await rawConnection(server.url)
  await connection.send('hello\r\n\r\n')
  expect((await connection.response()).status).toBe(400)
  // Our side stays open: only a server that closes the connection makes a write fail.
  await until('the connection is gone', async () => {
    await connection.send('x')
    return connection.socket.destroyed
  })
})
