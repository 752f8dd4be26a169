import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createServers } from '../../test/served.ts'
import { createClient } from '../api/client.ts'
import type { Source } from './source.ts'

const { served, close } = createServers()
afterEach(close)

interface Received {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  /** Bytes. */
  readonly length: number
}

/** A server that accepts forms and resumable uploads, and records what it receives. */
async function recording(size: number) {
  const received: Received[] = []
  const baseURL = await served((request, response) => {
    const { method = '', url = '', headers } = request
    void buffer(request).then(({ length }) => {
      received.push({ line: `${method} ${url}`, headers, length })
      const offset = method === 'PATCH' ? size : 0
      response.writeHead(200, { 'x-uploadid': 'u1', 'x-fileid': 'f1', 'upload-offset': offset })
      response.end('{"id":"f1","files":[{"id":"f1","fileName":"a"}]}')
    })
  })
  return { client: createClient({ baseURL }), received }
}

async function* chunksOf(size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; left -= 50_000)
    yield await Promise.resolve(new Uint8Array(Math.min(left, 50_000)))
}

const blob = (size: number) => new Blob([new Uint8Array(size)])
const file = (size: number): Source => ({ size, between: (start, end) => chunksOf(end - start) })
const stream = (size: number): Source => ({ size, chunks: chunksOf(size) })
const kinds = [
  ['a blob', blob],
  ['a file', file],
  ['a stream of known size', stream],
] as const
/** Sizes of bodies that are sent as one buffer, and as a stream. */
const cases = kinds.flatMap(([kind, sourceOf]) => [0, 10, 200_000].map((size) => ({ kind, sourceOf, size })))
const form = { fileName: 'a' }

test.for(cases)('a form with $kind of $size bytes has its size', async ({ sourceOf, size }) => {
  const { client, received } = await recording(size)
  await client.addFile('u1', sourceOf(size), { ...form, resumable: false })
  await client.quickUpload(sourceOf(size), form)
  await client.sendStream('u1', { id: 'f1', fileName: 'a' }, sourceOf(size), {})
  expect(received.map(({ line }) => line)).toEqual(['POST /file/u1', 'POST /', 'POST /stream/u1/f1/a'])
  for (const { headers, length } of received) {
    expect(headers['content-length']).toBe(String(length))
    expect(headers['transfer-encoding']).toBeUndefined()
    expect(length).toBeGreaterThan(size)
  }
})

test.for(cases.filter(({ sourceOf }) => sourceOf !== stream))(
  'a resumable upload of $kind of $size bytes has its size, and each part the size of the part',
  async ({ sourceOf, size }) => {
    const { client, received } = await recording(size)
    await client.sendFile('u1', sourceOf(size), { ...form, resumable: { threshold: -1 } })
    const [created, ...parts] = received
    expect(created).toMatchObject({ line: 'POST /tus/u1', headers: { 'upload-length': String(size) } })
    expect(parts.map(({ line, headers }) => [line, headers['content-length']])).toEqual(
      size === 0 ? [] : [['PATCH /tus/u1/f1', String(size)]],
    )
  },
)

test('a stream of unknown size is sent in chunks', async () => {
  const { client, received } = await recording(10)
  await client.addFile('u1', { chunks: chunksOf(10) }, form)
  expect(received[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' })
})
