import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import {
  MissingDataError,
  StoreUnavailableError,
  type DataBackend,
} from '../../../src/data/backend/backend.ts'
import { s3Backend } from '../../../src/data/s3/open.ts'
import { describeOn } from '../../support/describe-on.ts'
import { large, partSize, requests, s3BehindProxy, small } from '../../support/stores/s3-behind-proxy.ts'
import { testPatience } from '../../support/stores/s3-buckets.ts'
import { until } from '../../support/until.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'
import { never } from '../../support/signals.ts'

const cephVersion = () =>
  Number(
    /^ceph version (\d+)/.exec(execFileSync('/usr/bin/radosgw', ['--version'], { encoding: 'utf8' }))?.[1],
  )

describeOn('radosgw', 'requests to S3', () => {
  const s3 = s3BehindProxy()
  test('uses multipart uploads only where a file does not fit into one part', async () => {
    await s3.backend.add('one', inChunks(bytesOf(partSize), mebibyte), never)
    expect(s3.proxy.requests.filter((request) => requests.begin.test(request))).toEqual([])
    await s3.backend.add('two', inChunks(bytesOf(partSize + 1), mebibyte), never)
    expect(s3.proxy.requests.filter((request) => requests.part.test(request))).toHaveLength(2)
  })

  test('removes 1,000 files with each request', async () => {
    const keys = Array.from({ length: 1_001 }, (_, index) => `many${String(index)}`)
    await s3.backend.add('many1000', inChunks(small, 10), never)
    const before = s3.proxy.requests.length
    expect(await s3.backend.removeMany?.(keys)).toEqual(new Map())
    expect(s3.proxy.requests.length - before).toBe(2)
    await expect(s3.backend.get('many1000')).rejects.toThrow(MissingDataError)
  })

  test('removes only the unfinished uploads under a key', async () => {
    const begin = async (prefix: string) => {
      const other = await s3Backend(s3.bucket.options({ prefix, endpoint: s3.proxy.url }), testPatience)
      const asleep = s3.proxy.seen(requests.part)
      async function* source() {
        yield* inChunks(large, mebibyte)
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
    expect((await s3.bucket.unfinished()).toSorted()).toEqual(['ours/keykey', 'theirs/key'])
  })

  test('separates files under another prefix', async () => {
    const open = (prefix: string) => s3Backend(s3.bucket.options({ prefix }), testPatience)
    const [ours, theirs] = await Promise.all([open('ours/'), open('theirs/')])
    await ours.add('key', inChunks(small, 10), never)
    await theirs.add('key', inChunks(bytesOf(20), 10), never)
    await ours.remove('key')
    await expect(ours.get('key')).rejects.toThrow(MissingDataError)
    expect(await collect(await theirs.get('key'))).toHaveLength(20)
    expect(await s3.stored()).toEqual(['theirs/key'])
  })

  test.each([
    ['small', requests.put, small],
    ['large', requests.begin, large],
  ])('receives a request to encrypt a %s file where it is configured', async (_, when, bytes) => {
    const encrypted = await s3Backend(
      s3.bucket.options({ sse: 'AES256', endpoint: s3.proxy.url }),
      testPatience,
    )
    const sent = s3.proxy.seen(when)
    const reply = encrypted.add('key', inChunks(bytes, mebibyte), never).then(
      () => 'taken',
      (error: unknown) => String(error),
    )
    expect((await sent)['x-amz-server-side-encryption']).toBe('AES256')
    // Ceph 17 and later encrypts only with a key server.
    expect(await reply).toMatch(cephVersion() < 17 ? /^taken$/ : /\(400 InvalidArgument\)$/)
  })

  test('serves a file at a presigned URL with the signed headers', async () => {
    await s3.add(small)
    const address = await s3.backend.presignedURL?.('key', {
      expiresIn: 60,
      contentType: 'image/png',
      cacheControl: 'private, no-cache',
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

  describe('a readiness check', () => {
    const ping = (backend: DataBackend, signal = never) => backend.ping?.(signal)

    test('passes with one request about the bucket', async () => {
      await ping(s3.backend)
      expect(s3.proxy.requests).toEqual([expect.stringMatching(requests.ping)])
      expect(await s3.stored()).toEqual([])
    })

    test.each([
      [
        'the bucket is missing',
        { bucket: 'no-such-bucket' },
        'the bucket no-such-bucket does not exist (DataBackendConfig.Bucket)',
      ],
      ['the secret is wrong', { secretAccessKey: 'wrong' }, '403'],
      ['the access key is unknown', { accessKeyID: 'nobody' }, '403'],
    ])('fails when %s', async (_, wrong, why) => {
      const endpoint = s3.proxy.url
      const other = await s3Backend(s3.bucket.options({ endpoint, ...wrong }), testPatience)
      const readiness = ping(other)
      await expect(readiness).rejects.toThrow(StoreUnavailableError)
      await expect(readiness).rejects.toThrow(why)
      expect(s3.proxy.requests).toHaveLength(1)
    })

    test('fails at the first error, and passes once it is over', async () => {
      const happened = s3.proxy.fail({ kind: 'respond', status: 503 }, { when: requests.ping })
      await expect(ping(s3.backend)).rejects.toThrow(StoreUnavailableError)
      expect(happened()).toBe(1)
      s3.proxy.heal()
      await ping(s3.backend)
    })

    test('fails while the store is unreachable, and passes when it is back', async () => {
      await ping(s3.backend)
      await s3.proxy.down()
      await expect(ping(s3.backend)).rejects.toThrow(StoreUnavailableError)
      await s3.proxy.up()
      await ping(s3.backend)
    })

    test('stops waiting when it is aborted', async () => {
      s3.proxy.fail({ kind: 'stall' }, { when: requests.ping })
      const seen = s3.proxy.seen(requests.ping)
      const late = new AbortController()
      const reason = new Error('late')
      const readiness = ping(s3.backend, late.signal)
      readiness?.catch(() => undefined)
      await seen
      late.abort(reason)
      await expect(readiness).rejects.toBe(reason)
      await until('the connection is closed', () => s3.proxy.connections() === 0)
    })
  })
})
