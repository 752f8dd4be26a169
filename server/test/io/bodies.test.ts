import { readdir } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Busboy } from '@fastify/busboy'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DataBackend } from '../../src/data/backend/backend.ts'
import { fileBackend } from '../../src/data/file/file.ts'
import { bufferPool } from '../../src/io/send/buffer-pool.ts'
import { hasherPool } from '../../src/io/hash/hasher-pool.ts'
import { receiveBody, type Digests } from '../../src/io/receive/receive-body.ts'
import { SendAborted } from '../../src/io/send/response-writer.ts'
import { sendSegments } from '../../src/io/send/send-segments.ts'
import { bytesOf, collect, inChunks } from '../support/bytes.ts'
import { until } from '../support/until.ts'
import { failingBackend, FailingBackendError } from '../support/stores/failing-backend.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { never } from '../support/signals.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const hashers = hasherPool({ blocks: 6 })
const buffers = bufferPool({ count: 6 })
const bytes = bytesOf(12 * mebibyte)

let directory: string
let data: DataBackend
let server: Server
let reply: (request: IncomingMessage, response: ServerResponse) => Promise<unknown>
/** The outcome of each request. */
let outcomes: PromiseWithResolvers<unknown>
let open: Socket[]

beforeAll(async () => {
  directory = await temporaryDirectory()
  data = fileBackend({ directory, fsync: false }, manualClock())
  await data.add('big', inChunks(bytes, mebibyte), never)
})
beforeEach(async () => {
  outcomes = Promise.withResolvers()
  open = []
  server = createServer((request, response) => {
    reply(request, response).then(outcomes.resolve, outcomes.resolve)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  for (const socket of open) socket.destroy()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  expect(buffers.available()).toBe(6)
  // A thread may still be reading the last blocks of a body that failed at its very end.
  await until('all blocks are back', () => hashers.blocks.available() === 6)
})
afterAll(async () => {
  await hashers.close()
})

function client(head: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => undefined)
  open.push(socket)
  socket.write(head)
  return socket
}

describe('response bodies', () => {
  const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const send = async (response: ServerResponse, onProgress?: (flushed: number) => void) => {
    response.writeHead(200, { 'content-length': bytes.length })
    const reader = await (data.open ?? expect.fail('files can be opened'))('big')
    const segment = { reader: () => Promise.resolve(reader), start: 0, length: bytes.length }
    await sendSegments([segment], response, { buffers, ...(onProgress && { onProgress }) })
  }
  const bodyOf = (received: Buffer) => received.subarray(received.indexOf('\r\n\r\n') + 4)

  test('arrive complete at a client that reads in small steps', async () => {
    reply = (_request, response) => send(response)
    const socket = client(get.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
    const received = await collect(socket.iterator())
    expect(bodyOf(received).equals(bytes)).toBe(true)
    expect(await outcomes.promise).toBeUndefined()
  })

  test('are followed by another response on the same connection', async () => {
    reply = (_request, response) => send(response)
    const close = get.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')
    const received = await collect(client(get + close).iterator())
    const first = bodyOf(received).subarray(0, bytes.length)
    expect(first.equals(bytes)).toBe(true)
    expect(bodyOf(bodyOf(received).subarray(bytes.length)).equals(bytes)).toBe(true)
  })

  test.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', (socket: Socket) => socket.destroy()],
  ])('end when the client %s the connection in the middle', async (_how, cut) => {
    let last = 0
    reply = (_request, response) =>
      send(response, (flushed) => {
        last = flushed
      })
    const socket = client(get)
    let received = 0
    socket.on('data', (chunk) => {
      received += chunk.length
      if (received > mebibyte) cut(socket.pause())
    })
    const error = await outcomes.promise
    expect(error).toBeInstanceOf(SendAborted)
    expect(error).toMatchObject({ flushed: last })
    expect(last).toBeLessThan(bytes.length)
  })

  test('end when the client stops reading and disconnects', async () => {
    const stuck = Promise.withResolvers<undefined>()
    reply = (_request, response) => {
      // The window of the client and the buffers of the system fill up; nothing is flushed from then on.
      response.once('close', () => {
        stuck.resolve(undefined)
      })
      return send(response)
    }
    const socket = client(get).pause()
    socket.once('connect', () => setImmediate(() => socket.resetAndDestroy()))
    expect(await outcomes.promise).toBeInstanceOf(SendAborted)
    await stuck.promise
  })

  test('that are incomplete cut the connection, so that no client takes them for complete', async () => {
    reply = async (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length + 1 })
      const reader = () => (data.open ?? expect.fail('files can be opened'))('big')
      await sendSegments([{ reader, start: 0, length: bytes.length + 1 }], response, { buffers })
    }
    const received = await collect(client(get).iterator()).catch(() => bytesOf(0))
    expect(bodyOf(received).length).toBeLessThan(bytes.length + 1)
    expect(await outcomes.promise).toMatchObject({ name: 'WrongLengthError' })
  })
})

describe('request bodies', () => {
  const boundary = 'xYzZY'
  const partHead = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n`
  const formHead = (length: number) =>
    `POST / HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${String(length)}\r\n\r\n${partHead}`
  const formLength = (length: number) => partHead.length + length + `\r\n--${boundary}--\r\n`.length

  const keys = async () =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((e) => e.isFile())
      .map((e) => e.name)

  /** Receives a form as a service would; an invalid request aborts the file. */
  const receive = (store: DataBackend) => (request: IncomingMessage, response: ServerResponse) => {
    const { promise, resolve, reject } = Promise.withResolvers<Digests>()
    const abort = new AbortController()
    request.on('error', (error) => {
      abort.abort(error)
    })
    const parser = new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
    })
    parser.on('file', (_field, file) => {
      const intake = receiveBody(file, {
        maxSize: -1,
        tooBig: () => new Error('big'),
        hashers,
        signal: abort.signal,
      })
      const stored = store.add('incoming', intake.blocks, abort.signal).then(() => intake.digests())
      stored.then(resolve, reject)
    })
    request.pipe(parser)
    return promise.finally(() => {
      response.end()
    })
  }

  test('are stored and hashed', async () => {
    reply = receive(data)
    const socket = client(formHead(formLength(bytes.length)))
    socket.write(bytes)
    socket.write(`\r\n--${boundary}--\r\n`)
    expect(await outcomes.promise).toMatchObject({ size: bytes.length })
    expect((await collect(await data.get('incoming'))).equals(bytes)).toBe(true)
    await data.remove('incoming')
  })

  test.each([1_000, 200_000, 5 * mebibyte])(
    'are dropped when the client disconnects after %d bytes',
    async (size) => {
      reply = receive(data)
      const socket = client(formHead(formLength(bytes.length)))
      socket.write(bytes.subarray(0, size), () => socket.end())
      expect(await outcomes.promise).toBeInstanceOf(Error)
      expect(await keys()).toEqual(['big'])
    },
  )

  test('leave nothing half done when any operation of the store fails', async () => {
    // The call, each block (one of 128 KiB, then of 1 MiB), and the end of the source.
    const operations = 1 + Math.ceil((bytes.length - 128 * 1024) / mebibyte) + 1 + 1
    for (let failAt = 1; failAt <= operations; failAt += 1) {
      outcomes = Promise.withResolvers()
      const failing = failingBackend(data, { failAt })
      reply = (request, response) =>
        receive(failing)(request, response).finally(() => {
          request.resume().unpipe()
        })
      const socket = client(formHead(formLength(bytes.length)))
      socket.write(bytes)
      socket.write(`\r\n--${boundary}--\r\n`)
      const outcome = await outcomes.promise
      expect(outcome, `operation ${String(failAt)}`).toBeInstanceOf(FailingBackendError)
      expect(await keys()).toEqual(['big'])
    }
  })
})
