import { expect, test } from 'vitest'
import { MissingDataError } from '../../src/data/backend.ts'
import { s3Backend } from '../../src/data/s3/open.ts'
import { describeOn } from '../support/describe-on.ts'
import { testPatience } from '../support/s3-buckets.ts'
import { bytesOf, collect, pieces } from './bytes.ts'
import {
  large,
  mebibyte,
  never,
  partSize,
  requests,
  s3BehindProxy,
  small,
} from '../support/s3-behind-proxy.ts'

describeOn('radosgw', 'What S3 is asked', () => {
  const s3 = s3BehindProxy()
  test('is asked for parts only where a file does not fit into one', async () => {
    await s3.backend.add('one', pieces(bytesOf(partSize), mebibyte), never)
    expect(s3.proxy.requests.filter((request) => requests.begin.test(request))).toEqual([])
    await s3.backend.add('two', pieces(bytesOf(partSize + 1), mebibyte), never)
    expect(s3.proxy.requests.filter((request) => requests.part.test(request))).toHaveLength(2)
  })

  test('removes what was begun under a key and never completed, and only that', async () => {
    const begin = async (prefix: string) => {
      const other = await s3Backend(s3.bucket.options({ prefix, endpoint: s3.proxy.url }), testPatience)
      const asleep = s3.proxy.seen(requests.part)
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
    expect((await s3.bucket.unfinished()).toSorted()).toEqual(['ours/keykey', 'theirs/key'])
  })

  test('keeps what has another prefix apart', async () => {
    const open = (prefix: string) => s3Backend(s3.bucket.options({ prefix }), testPatience)
    const [ours, theirs] = await Promise.all([open('ours/'), open('theirs/')])
    await ours.add('key', pieces(small, 10), never)
    await theirs.add('key', pieces(bytesOf(20), 10), never)
    await ours.remove('key')
    await expect(ours.get('key')).rejects.toThrow(MissingDataError)
    expect(await collect(await theirs.get('key'))).toHaveLength(20)
    expect(await s3.stored()).toEqual(['theirs/key'])
  })

  test.each([
    ['small', requests.put, small],
    ['large', requests.begin, large],
  ])('is asked to encrypt a %s file where that is configured', async (_, when, bytes) => {
    const encrypted = await s3Backend(
      s3.bucket.options({ sse: 'AES256', endpoint: s3.proxy.url }),
      testPatience,
    )
    const asked = s3.proxy.seen(when)
    await encrypted.add('key', pieces(bytes, mebibyte), never)
    expect((await asked)['x-amz-server-side-encryption']).toBe('AES256')
  })

  test('gives a file at an address of its own, with the headers that were signed', async () => {
    await s3.add(small)
    const address = await s3.backend.directAddress?.('key', {
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
