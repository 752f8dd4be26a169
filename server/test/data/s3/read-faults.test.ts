import { PutObjectCommand } from '@aws-sdk/client-s3'
import { beforeEach, describe, expect, test } from 'vitest'
import { MissingDataError, StoreUnavailableError } from '../../../src/data/backend/backend.ts'
import { describeOn } from '../../support/describe-on.ts'
import { pageOfProxy } from '../../support/servers/faulty-proxy.ts'
import { large, partSize, requests, s3BehindProxy } from '../../support/stores/s3-behind-proxy.ts'
import { until } from '../../support/until.ts'
import { bytesOf, collect } from '../../support/bytes.ts'

describeOn('radosgw', 'S3 that fails while it gives a file', () => {
  const s3 = s3BehindProxy()
  beforeEach(() => s3.add(large))

  test.each([0, 1, partSize - 1, partSize, 2 * partSize + 999])(
    'a read continues where a connection was cut after %d bytes',
    async (after) => {
      const happened = s3.proxy.fail({ kind: 'cut-response', after }, { when: requests.get, times: 2 })
      expect((await s3.read()).equals(large)).toBe(true)
      expect(happened()).toBeGreaterThanOrEqual(1)
    },
  )

  test('a read continues within a range', async () => {
    const happened = s3.proxy.fail({ kind: 'cut-response', after: 100_000 }, { when: requests.get, times: 1 })
    const range = { start: partSize - 1_000, end: partSize + 500_000 }
    const bytes = await collect(await s3.backend.get('key', range))
    expect(bytes.equals(large.subarray(range.start, range.end + 1))).toBe(true)
    expect(happened()).toBe(1)
  })

  test('a stalled read continues on another connection', async () => {
    await s3.withShortIdle()
    const happened = s3.proxy.fail(
      { kind: 'stall-response', after: 100_000 },
      { when: requests.get, times: 1 },
    )
    expect((await s3.read()).equals(large)).toBe(true)
    expect(happened()).toBe(1)
  })

  test('a read is retried while the store is unavailable', async () => {
    const happened = s3.proxy.fail({ kind: 'respond', status: 503 }, { when: requests.get, times: 3 })
    expect((await s3.read()).equals(large)).toBe(true)
    expect(happened()).toBe(3)
  })

  describe('a read never returns the bytes of a proxy', () => {
    test('at a retry', async () => {
      s3.proxy.fail({ kind: 'cut-response', after: 100_000 }, { when: requests.get, times: 1 })
      s3.proxy.fail(pageOfProxy, { when: requests.get, times: 1 })
      await expect(s3.read()).rejects.toThrow(StoreUnavailableError)
      expect((await s3.read()).equals(large)).toBe(true)
    })

    test.each([undefined, { start: 0, end: 9 }, { start: 10, end: 19 }])(
      'at the beginning (%j)',
      async (range) => {
        s3.proxy.fail(pageOfProxy, { when: requests.get, times: 1 })
        await expect(s3.backend.get('key', range)).rejects.toThrow(StoreUnavailableError)
      },
    )
  })

  test('a read fails when it is cut again and again', async () => {
    const happened = s3.proxy.fail({ kind: 'cut-response', after: 1_000 }, { when: requests.get })
    await expect(s3.read()).rejects.toThrow(StoreUnavailableError)
    expect(happened()).toBe(6)
  })

  test('a read never mixes two versions of a file', async () => {
    s3.proxy.fail({ kind: 'cut-response', after: 1_000 }, { when: requests.get, times: 1 })
    const chunks = await s3.backend.get('key')
    const other = { Bucket: s3.bucket.name, Key: 'key', Body: bytesOf(large.length, 2) }
    await s3.bucket.client.send(new PutObjectCommand(other))
    await expect(collect(chunks)).rejects.toThrow()
  })

  test('a reader that stops releases the connection', async () => {
    const before = s3.proxy.connections()
    for await (const chunk of await s3.backend.get('key')) {
      expect(chunk.length).toBeGreaterThan(0)
      expect(s3.proxy.connections()).toBeLessThanOrEqual(before + 1)
      break
    }
    const unread = await s3.backend.get('key')
    await unread[Symbol.asyncIterator]().return?.()
    await until('the connections of downloads are gone', () => s3.proxy.connections() <= before)
  })

  test.each([
    [partSize - 1, partSize - 1],
    [partSize, partSize],
    [partSize - 1, partSize],
    [2 * partSize - 10, 2 * partSize + 10],
    [2 * partSize + 999, 2 * partSize + 999],
  ])('a read returns the bytes from %d to %d, on both sides of a part boundary', async (start, end) => {
    const bytes = await collect(await s3.backend.get('key', { start, end }))
    expect(bytes.equals(large.subarray(start, end + 1))).toBe(true)
  })

  test('an empty range returns no bytes, and a missing file is reported', async () => {
    expect(await collect(await s3.backend.get('key', { start: 0, end: -1 }))).toHaveLength(0)
    await expect(s3.backend.get('missing', { start: 0, end: -1 })).rejects.toThrow(MissingDataError)
  })
})
