import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/data/backend/backend.ts'
import { describeOn } from '../../support/describe-on.ts'
import { pageOfProxy, type Fault } from '../../support/servers/faulty-proxy.ts'
import { resumableCaller } from '../../support/stores/resumable-caller.ts'
import { large, partSize, requests, s3BehindProxy, small } from '../../support/stores/s3-behind-proxy.ts'
import { inChunks } from '../../support/bytes.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'
import { never } from '../../support/signals.ts'

const errorBody =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InternalError</Code><Message>again</Message></Error>'

describeOn('radosgw', 'S3 that fails while it takes a file', () => {
  const s3 = s3BehindProxy()
  const once: readonly (readonly [string, Fault, RegExp])[] = [
    ['the connection is cut in a part', { kind: 'cut-request', after: 2 * mebibyte }, requests.part],
    ['the response to a part is lost', { kind: 'lose-response' }, requests.part],
    ['a part is rejected temporarily', { kind: 'respond', status: 503 }, requests.part],
    ['the beginning is rejected temporarily', { kind: 'respond', status: 503 }, requests.begin],
    ['the completion is rejected temporarily', { kind: 'respond', status: 500 }, requests.complete],
    ['the response to the completion is lost', { kind: 'lose-response' }, requests.complete],
    [
      'the completion fails within a successful response',
      { kind: 'respond', status: 200, body: errorBody },
      requests.complete,
    ],
  ]
  test.each(once)('%s once: the file is stored all the same', async (_, fault, when) => {
    const happened = s3.proxy.fail(fault, { when, times: 1 })
    await s3.add(large)
    expect((await s3.read()).equals(large)).toBe(true)
    expect(await s3.stored()).toEqual(['key'])
    expect(happened()).toBe(1)
  })

  test('a part stalls once: the file is stored all the same', async () => {
    // A busy machine may reach the timeout, too: there are retries left.
    await s3.withShortIdle(Array.from({ length: 12 }, () => 1))
    const happened = s3.proxy.fail({ kind: 'stall' }, { when: requests.part, times: 1 })
    await s3.add(large)
    expect((await s3.read()).equals(large)).toBe(true)
    expect(await s3.stored()).toEqual(['key'])
    expect(happened()).toBe(1)
  })

  test.each([
    ['cut', { kind: 'cut-request', after: 10 }],
    ['rejected as unavailable', { kind: 'respond', status: 503 }],
    ['completed with a lost response', { kind: 'lose-response' }],
  ] as const)('a small file is %s: it is stored all the same', async (_, fault) => {
    const happened = s3.proxy.fail(fault, { when: requests.put, times: 2 })
    await s3.add(small)
    expect((await s3.read()).equals(small)).toBe(true)
    expect(await s3.stored()).toEqual(['key'])
    expect(happened()).toBe(2)
  })

  const always: readonly (readonly [string, Fault, RegExp, Buffer])[] = [
    ['small file', { kind: 'respond', status: 503 }, requests.put, small],
    ['small file whose responses are lost', { kind: 'lose-response' }, requests.put, small],
    ['beginning', { kind: 'respond', status: 503 }, requests.begin, large],
    ['part', { kind: 'respond', status: 503 }, requests.part, large],
    ['part whose responses are lost', { kind: 'lose-response' }, requests.part, large],
    ['completion', { kind: 'respond', status: 503 }, requests.complete, large],
    [
      'completion in a successful response',
      { kind: 'respond', status: 200, body: errorBody },
      requests.complete,
      large,
    ],
  ]
  test.each(always)('a %s fails after a bounded number of attempts', async (_, fault, when, bytes) => {
    const happened = s3.proxy.fail(fault, { when })
    await expect(s3.add(bytes)).rejects.toThrow(StoreUnavailableError)
    // Five attempts for each part; no others begin once one has failed.
    expect(happened()).toBeGreaterThanOrEqual(5)
    expect(happened()).toBeLessThanOrEqual(15)
    expect(await s3.stored()).toEqual([])
  })

  test.each([
    ['small file', requests.put, small],
    ['beginning', requests.begin, large],
    ['part', requests.part, large],
    ['completion', requests.complete, large],
  ])('a success response of a proxy does not count for a %s', async (_, when, bytes) => {
    s3.proxy.fail(pageOfProxy, { when })
    await expect(s3.add(bytes)).rejects.toThrow(StoreUnavailableError)
    expect(await s3.stored()).toEqual([])
  })

  test.each([
    ['part', requests.part],
    ['end', /^PUT [^?]+tail/],
  ])('a resumable upload continues after a proxy has responded to its %s', async (_, when) => {
    const file = await resumableCaller('key', () => s3.backend)
    const bytes = large.subarray(0, partSize + 100)
    s3.proxy.fail(pageOfProxy, { when })
    await expect(file.append(bytes)).rejects.toThrow(StoreUnavailableError)
    s3.proxy.heal()
    await file.append(bytes.subarray(file.lastPart().offset))
    await file.finish()
    expect((await s3.read()).equals(bytes)).toBe(true)
  })

  test('a response that never arrives is awaited fewer times than errors are retried', async () => {
    await s3.withShortIdle()
    const happened = s3.proxy.fail({ kind: 'stall' }, { when: requests.put })
    await expect(s3.add(small)).rejects.toThrow(StoreUnavailableError)
    expect(happened()).toBe(2)
    expect(await s3.stored()).toEqual([])
  })

  test('a completion without a response is recognized as successful', async () => {
    const happened = s3.proxy.fail({ kind: 'lose-response' }, { when: requests.complete })
    await s3.add(large)
    expect((await s3.read()).equals(large)).toBe(true)
    expect(happened()).toBe(5)
  })

  test('the source is not read further once a part has failed', async () => {
    s3.proxy.fail({ kind: 'respond', status: 403 }, { when: requests.part })
    const failed = s3.proxy.seen(requests.part)
    let last = false
    async function* source() {
      yield* inChunks(large, mebibyte)
      await failed
      await new Promise(() => undefined)
      last = true
      yield small
    }
    await expect(s3.backend.add('key', source(), never)).rejects.toThrow(StoreUnavailableError)
    expect(last).toBe(false)
    expect(await s3.stored()).toEqual([])
  })

  test.each([
    ['small file', requests.put, small],
    ['beginning', requests.begin, large],
    ['part', requests.part, large],
    ['completion', requests.complete, large],
  ])('an abort at the %s leaves nothing behind', async (_, when, bytes) => {
    const held = Promise.withResolvers<undefined>()
    const abort = new AbortController()
    const reason = new Error('cut')
    s3.proxy.fail({ kind: 'hold', until: held.promise }, { when, times: 1 })
    const seen = s3.proxy.seen(when)
    const added = s3.backend.add('key', inChunks(bytes, mebibyte), abort.signal)
    added.catch(() => undefined)
    await seen
    abort.abort(reason)
    await expect(added).rejects.toBe(reason)
    held.resolve(undefined)
    // A late request may still have begun an upload, which is removed with the key.
    await s3.backend.remove('key')
    expect(await s3.stored()).toEqual([])
  })

  test('an unreachable store is reported, and accepts files again when it is back', async () => {
    await s3.proxy.down()
    await expect(s3.add(small)).rejects.toThrow(StoreUnavailableError)
    await expect(s3.add(large)).rejects.toThrow(StoreUnavailableError)
    await expect(s3.read()).rejects.toThrow(StoreUnavailableError)
    await expect(s3.backend.remove('key')).rejects.toThrow(StoreUnavailableError)
    await s3.proxy.up()
    await s3.add(small)
    expect((await s3.read()).equals(small)).toBe(true)
  })
})
