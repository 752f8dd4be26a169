import { PutObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { S3Server } from '../../../scripts/test-servers/object-store.ts'
import { startRadosgw } from '../../../scripts/test-servers/radosgw.ts'
import { MissingDataError, StoreUnavailableError, type DataBackend } from '../../src/data/backend.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { describeOn } from '../support/describe-on.ts'
import { startFaultyProxy, type Fault, type FaultyProxy } from '../support/faulty-proxy.ts'
import { newBucket, testPatience, type TestBucket } from '../support/s3-buckets.ts'
import { until } from '../support/until.ts'
import { bytesOf, collect, pieces } from './bytes.ts'

const mebibyte = 1024 * 1024
const partSize = 5 * mebibyte
const never = new AbortController().signal
const errorBody =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InternalError</Code><Message>again</Message></Error>'

/** What a request is, whatever the bucket. */
const requests = {
  put: /^PUT [^?]+\?x-id=PutObject$/,
  begin: /^POST [^?]+\?uploads/,
  part: /^PUT .*partNumber=/,
  complete: /^POST .*uploadId=/,
  get: /^GET [^?]+\?x-id=GetObject$/,
}

describeOn('radosgw', 'S3 that fails', () => {
  let server: S3Server
  let proxy: FaultyProxy
  let bucket: TestBucket
  let backend: DataBackend

  beforeAll(async () => {
    server = await startRadosgw()
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    proxy = await startFaultyProxy(server.endpoint)
    bucket = await newBucket(server)
    backend = await s3Backend(bucket.options({ endpoint: proxy.url }), testPatience)
  })
  afterEach(() => proxy.close())

  const add = (bytes: Uint8Array) => backend.add('key', pieces(bytes, mebibyte), never)
  const read = async () => collect(await backend.get('key'))
  const stored = async () => [...(await bucket.objects()), ...(await bucket.unfinished())]
  const small = bytesOf(1_000)
  const large = bytesOf(2 * partSize + 1_000)

  describe('while it takes a file', () => {
    const once: readonly (readonly [string, Fault, RegExp])[] = [
      ['the connection is cut in a part', { kind: 'cut-request', after: 2 * mebibyte }, requests.part],
      ['the answer to a part is lost', { kind: 'lose-answer' }, requests.part],
      ['a part is refused for now', { kind: 'answer', status: 503 }, requests.part],
      ['a part stalls', { kind: 'stall' }, requests.part],
      ['the beginning is refused for now', { kind: 'answer', status: 503 }, requests.begin],
      ['the completion is refused for now', { kind: 'answer', status: 500 }, requests.complete],
      ['the answer to the completion is lost', { kind: 'lose-answer' }, requests.complete],
      [
        'the completion fails within a good answer',
        { kind: 'answer', status: 200, body: errorBody },
        requests.complete,
      ],
    ]
    test.each(once)('%s once: the file is stored all the same', async (_, fault, when) => {
      const happened = proxy.fail(fault, { when, times: 1 })
      await add(large)
      expect((await read()).equals(large)).toBe(true)
      expect(await stored()).toEqual(['key'])
      expect(happened()).toBe(1)
    })

    test.each([
      ['cut', { kind: 'cut-request', after: 10 }],
      ['refused for now', { kind: 'answer', status: 503 }],
      ['done, but its answer lost', { kind: 'lose-answer' }],
    ] as const)('a small file is %s: it is stored all the same', async (_, fault) => {
      const happened = proxy.fail(fault, { when: requests.put, times: 2 })
      await add(small)
      expect((await read()).equals(small)).toBe(true)
      expect(await stored()).toEqual(['key'])
      expect(happened()).toBe(2)
    })

    const always: readonly (readonly [string, Fault, RegExp, Buffer])[] = [
      ['small file', { kind: 'answer', status: 503 }, requests.put, small],
      ['small file whose answers are lost', { kind: 'lose-answer' }, requests.put, small],
      ['beginning', { kind: 'answer', status: 503 }, requests.begin, large],
      ['part', { kind: 'answer', status: 503 }, requests.part, large],
      ['part whose answers are lost', { kind: 'lose-answer' }, requests.part, large],
      ['completion', { kind: 'answer', status: 503 }, requests.complete, large],
      [
        'completion in a good answer',
        { kind: 'answer', status: 200, body: errorBody },
        requests.complete,
        large,
      ],
    ]
    test.each(always)('gives a %s up after a bounded number of tries', async (_, fault, when, bytes) => {
      const happened = proxy.fail(fault, { when })
      await expect(add(bytes)).rejects.toThrow(StoreUnavailableError)
      // Five tries of each part; others are not begun once one has failed.
      expect(happened()).toBeGreaterThanOrEqual(5)
      expect(happened()).toBeLessThanOrEqual(15)
      expect(await stored()).toEqual([])
    })

    test('does not wait for an answer that never comes as often as for one that comes', async () => {
      const happened = proxy.fail({ kind: 'stall' }, { when: requests.put })
      await expect(add(small)).rejects.toThrow(StoreUnavailableError)
      expect(happened()).toBe(2)
      expect(await stored()).toEqual([])
    })

    test('finds out that a completion of which no answer ever came succeeded', async () => {
      const happened = proxy.fail({ kind: 'lose-answer' }, { when: requests.complete })
      await add(large)
      expect((await read()).equals(large)).toBe(true)
      expect(happened()).toBe(5)
    })

    test('does not ask its source for more once a part has failed', async () => {
      proxy.fail({ kind: 'answer', status: 403 }, { when: requests.part })
      const failed = proxy.seen(requests.part)
      let last = false
      async function* source() {
        yield* pieces(large, mebibyte)
        await failed
        await new Promise(() => undefined)
        last = true
        yield small
      }
      await expect(backend.add('key', source(), never)).rejects.toThrow(StoreUnavailableError)
      expect(last).toBe(false)
      expect(await stored()).toEqual([])
    })

    test.each([
      ['small file', requests.put, small],
      ['beginning', requests.begin, large],
      ['part', requests.part, large],
      ['completion', requests.complete, large],
    ])('leaves nothing of what is aborted at the %s', async (_, when, bytes) => {
      const held = Promise.withResolvers<undefined>()
      const abort = new AbortController()
      const reason = new Error('cut')
      proxy.fail({ kind: 'hold', until: held.promise }, { when, times: 1 })
      const seen = proxy.seen(when)
      const added = backend.add('key', pieces(bytes, mebibyte), abort.signal)
      added.catch(() => undefined)
      await seen
      abort.abort(reason)
      await expect(added).rejects.toBe(reason)
      held.resolve(undefined)
      // What was asked for too late may still have begun something, which goes with the key.
      await backend.remove('key')
      expect(await stored()).toEqual([])
    })

    test('says that it cannot be reached, and takes files again when it is back', async () => {
      await proxy.down()
      await expect(add(small)).rejects.toThrow(StoreUnavailableError)
      await expect(add(large)).rejects.toThrow(StoreUnavailableError)
      await expect(read()).rejects.toThrow(StoreUnavailableError)
      await expect(backend.remove('key')).rejects.toThrow(StoreUnavailableError)
      await proxy.up()
      await add(small)
      expect((await read()).equals(small)).toBe(true)
    })
  })

  describe('while it gives a file', () => {
    beforeEach(() => add(large))

    test.each([0, 1, partSize - 1, partSize, 2 * partSize + 999])(
      'goes on where a connection was cut after %d bytes',
      async (after) => {
        const happened = proxy.fail({ kind: 'cut-answer', after }, { when: requests.get, times: 2 })
        expect((await read()).equals(large)).toBe(true)
        expect(happened()).toBeGreaterThanOrEqual(1)
      },
    )

    test('goes on within a range', async () => {
      const happened = proxy.fail({ kind: 'cut-answer', after: 100_000 }, { when: requests.get, times: 1 })
      const range = { start: partSize - 1_000, end: partSize + 500_000 }
      const bytes = await collect(await backend.get('key', range))
      expect(bytes.equals(large.subarray(range.start, range.end + 1))).toBe(true)
      expect(happened()).toBe(1)
    })

    test('goes on elsewhere when nothing more comes', async () => {
      const happened = proxy.fail({ kind: 'stall-answer', after: 100_000 }, { when: requests.get, times: 1 })
      expect((await read()).equals(large)).toBe(true)
      expect(happened()).toBe(1)
    })

    test('is asked again while it refuses for now', async () => {
      const happened = proxy.fail({ kind: 'answer', status: 503 }, { when: requests.get, times: 3 })
      expect((await read()).equals(large)).toBe(true)
      expect(happened()).toBe(3)
    })

    test('gives up when it is cut again and again', async () => {
      const happened = proxy.fail({ kind: 'cut-answer', after: 1_000 }, { when: requests.get })
      await expect(read()).rejects.toThrow(StoreUnavailableError)
      expect(happened()).toBe(6)
    })

    test('never mixes two versions of a file', async () => {
      proxy.fail({ kind: 'cut-answer', after: 1_000 }, { when: requests.get, times: 1 })
      const chunks = await backend.get('key')
      const other = { Bucket: bucket.name, Key: 'key', Body: bytesOf(large.length, 2) }
      await bucket.client.send(new PutObjectCommand(other))
      await expect(collect(chunks)).rejects.toThrow()
    })

    test('lets go of the connection of a reader who leaves', async () => {
      const before = proxy.connections()
      for await (const chunk of await backend.get('key')) {
        expect(chunk.length).toBeGreaterThan(0)
        expect(proxy.connections()).toBeLessThanOrEqual(before + 1)
        break
      }
      const unread = await backend.get('key')
      await unread[Symbol.asyncIterator]().return?.()
      await until('the connections of downloads are gone', () => proxy.connections() <= before)
    })

    test.each([
      [partSize - 1, partSize - 1],
      [partSize, partSize],
      [partSize - 1, partSize],
      [2 * partSize - 10, 2 * partSize + 10],
      [2 * partSize + 999, 2 * partSize + 999],
    ])('gives the bytes from %d to %d, on both sides of where parts meet', async (start, end) => {
      const bytes = await collect(await backend.get('key', { start, end }))
      expect(bytes.equals(large.subarray(start, end + 1))).toBe(true)
    })

    test('gives no byte of an empty range, and knows when there is no file at all', async () => {
      expect(await collect(await backend.get('key', { start: 0, end: -1 }))).toHaveLength(0)
      await expect(backend.get('missing', { start: 0, end: -1 })).rejects.toThrow(MissingDataError)
    })
  })

  test('is asked for parts only where a file does not fit into one', async () => {
    await backend.add('one', pieces(bytesOf(partSize), mebibyte), never)
    expect(proxy.requests.filter((request) => requests.begin.test(request))).toEqual([])
    await backend.add('two', pieces(bytesOf(partSize + 1), mebibyte), never)
    expect(proxy.requests.filter((request) => requests.part.test(request))).toHaveLength(2)
  })

  test('removes what was begun under a key and never completed, and only that', async () => {
    const begin = async (prefix: string) => {
      const other = await s3Backend(bucket.options({ prefix, endpoint: proxy.url }), testPatience)
      const asleep = proxy.seen(requests.part)
      async function* source() {
        yield* pieces(large, mebibyte)
        await new Promise(() => undefined)
      }
      other.add('key', source(), never).catch(() => undefined)
      await asleep
      return other
    }
    const ours = await begin('ours/')
    await begin('ours/key')
    await begin('theirs/')
    await ours.remove('key')
    expect((await bucket.unfinished()).toSorted()).toEqual(['ours/keykey', 'theirs/key'])
  })

  test('keeps what has another prefix apart', async () => {
    const open = (prefix: string) => s3Backend(bucket.options({ prefix }), testPatience)
    const [ours, theirs] = await Promise.all([open('ours/'), open('theirs/')])
    await ours.add('key', pieces(small, 10), never)
    await theirs.add('key', pieces(bytesOf(20), 10), never)
    await ours.remove('key')
    await expect(ours.get('key')).rejects.toThrow(MissingDataError)
    expect(await collect(await theirs.get('key'))).toHaveLength(20)
    expect(await stored()).toEqual(['theirs/key'])
  })

  test.each([
    ['small', requests.put, small],
    ['large', requests.begin, large],
  ])('is asked to encrypt a %s file where that is configured', async (_, when, bytes) => {
    const encrypted = await s3Backend(bucket.options({ sse: 'AES256', endpoint: proxy.url }), testPatience)
    const asked = proxy.seen(when)
    await encrypted.add('key', pieces(bytes, mebibyte), never)
    expect((await asked)['x-amz-server-side-encryption']).toBe('AES256')
  })

  test('gives a file at an address of its own, with the headers that were signed', async () => {
    await add(small)
    const address = await backend.directAddress?.('key', {
      ...{ expiresIn: 60, contentType: 'image/png', cacheControl: 'private, no-cache' },
      contentDisposition: `attachment; filename="a.png"; filename*=UTF-8''%C3%A4.png`,
    })
    const response = await fetch(address ?? '')
    expect(Buffer.from(await response.arrayBuffer()).equals(small)).toBe(true)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="a.png"; filename*=UTF-8''%C3%A4.png`,
      'cache-control': 'private, no-cache',
    })
    const changed = await fetch((address ?? '').replace('image%2Fpng', 'text%2Fhtml'))
    await changed.body?.cancel()
    expect(changed.status).toBe(403)
  })
})
