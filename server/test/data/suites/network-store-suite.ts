import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  MissingDataError,
  NoSpaceError,
  StoreUnavailableError,
  type DataBackend,
} from '../../../src/data/backend/backend.ts'
import { pageOfProxy, type FaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { until } from '../../support/until.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { shortIdleTimeout, type NetworkStoreUnderTest } from './network-store.ts'
import { never } from '../../support/signals.ts'

export interface NetworkStoreProperties {
  /** Size in bytes of the parts of a file. */
  readonly partSize: number
  /** Which requests write bytes, and which read them. */
  readonly isWrite: RegExp
  readonly isRead: RegExp
}

const any = /./

/** The contract of every network store when the network or the store fails. */
export function testNetworkStore(
  name: string,
  { partSize, isWrite, isRead }: NetworkStoreProperties,
  start: () => Promise<NetworkStoreUnderTest>,
): void {
  describe(`a ${name} store over an unreliable network`, () => {
    let store: NetworkStoreUnderTest
    let backend: DataBackend
    let proxy: FaultyProxy

    beforeEach(async () => {
      store = await start()
      proxy = store.proxy
      backend = await store.open()
    })
    afterEach(() => store.close())

    const add = (bytes: Uint8Array) => backend.add('key', inChunks(bytes, 50_000), never)
    const read = async () => collect(await backend.get('key'))
    const large = bytesOf(3 * partSize + 1_000)

    test.each([-1, 0, 1].flatMap((more) => [partSize + more, 2 * partSize + more]))(
      'returns %d bytes, and ranges across parts',
      async (size) => {
        const bytes = bytesOf(size)
        await add(bytes)
        expect((await read()).equals(bytes)).toBe(true)
        const range = { start: partSize - 10, end: partSize + 10 }
        const part = await collect(await backend.get('key', range))
        expect(part.equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
        await backend.remove('key')
        expect(await store.stored()).toEqual([])
      },
    )

    test('reports readiness after one request', async () => {
      const ping = () => backend.ping?.(never)
      await ping()
      const rejected = proxy.fail({ kind: 'respond', status: 503 }, { when: any })
      await expect(ping()).rejects.toThrow(StoreUnavailableError)
      expect(rejected()).toBe(1)
      proxy.heal()
      await ping()
      await proxy.down()
      await expect(ping()).rejects.toThrow(StoreUnavailableError)
      await proxy.up()
      await ping()
      expect(await store.stored()).toEqual([])
    })

    describe.each([
      ['once', 1],
      ['three times', 3],
    ])('that fails %s', (_, times) => {
      test.each([
        ['is cut at once', { kind: 'cut-request', after: 0 }],
        ['is cut in the middle', { kind: 'cut-request', after: 400_000 }],
        ['loses the response', { kind: 'lose-response' }],
        ['receives 503', { kind: 'respond', status: 503 }],
        ['receives 429', { kind: 'respond', status: 429 }],
      ] as const)('a write that %s continues', async (_, fault) => {
        // The second request that writes, which is in the middle of the file.
        proxy.fail(fault, { when: isWrite, skip: 1, times })
        await add(large)
        expect((await read()).equals(large)).toBe(true)
      })

      test.each([
        ['is cut at once', { kind: 'cut-request', after: 0 }],
        ['loses the response', { kind: 'lose-response' }],
        ['receives 503', { kind: 'respond', status: 503 }],
      ] as const)('the write of a small file that %s continues', async (_, fault) => {
        proxy.fail(fault, { when: isWrite, times })
        await add(bytesOf(1_000))
        expect(await read()).toHaveLength(1_000)
      })

      test.each([
        ['is cut in the middle', { kind: 'cut-response', after: 300_000 }],
        ['is cut before its first byte', { kind: 'cut-response', after: 0 }],
        ['receives 503', { kind: 'respond', status: 503 }],
      ] as const)('a read that %s continues', async (_, fault) => {
        await add(large)
        proxy.fail(fault, { when: isRead, times })
        expect((await read()).equals(large)).toBe(true)
        proxy.fail(fault, { when: isRead, times })
        const range = { start: 1_000, end: 2 * partSize }
        const part = await collect(await backend.get('key', range))
        expect(part.equals(large.subarray(range.start, range.end + 1))).toBe(true)
      })

      test('a removal that receives 503 continues', async () => {
        await add(large)
        proxy.fail({ kind: 'respond', status: 503 }, { when: any, times })
        await backend.remove('key')
        expect(await store.stored()).toEqual([])
      })
    })

    describe('behind a proxy that responds with success instead', () => {
      test('a read continues with the bytes of the store only', async () => {
        await add(large)
        proxy.fail({ kind: 'cut-response', after: 300_000 }, { when: isRead, times: 1 })
        proxy.fail(pageOfProxy, { when: isRead, times: 2 })
        expect((await read()).equals(large)).toBe(true)
        proxy.fail({ kind: 'cut-response', after: 0 }, { when: isRead, times: 1 })
        proxy.fail(pageOfProxy, { when: isRead, times: 1 })
        expect((await read()).equals(large)).toBe(true)
      })

      test.each([undefined, { start: 0, end: 9 }, { start: 10, end: 19 }])(
        'a read (%j) does not begin there',
        async (range) => {
          await add(large)
          proxy.fail(pageOfProxy, { when: isRead })
          await expect(backend.get('key', range)).rejects.toThrow(StoreUnavailableError)
        },
      )
    })

    describe('that is unreachable', () => {
      test('rejects files with an error, and keeps nothing', async () => {
        proxy.fail({ kind: 'respond', status: 503 }, { when: any })
        await expect(add(large)).rejects.toThrow(StoreUnavailableError)
        await expect(add(bytesOf(10))).rejects.toThrow(StoreUnavailableError)
        await expect(backend.get('key')).rejects.toThrow(StoreUnavailableError)
        await expect(backend.remove('key')).rejects.toThrow(StoreUnavailableError)
        proxy.heal()
        expect(await store.stored()).toEqual([])
      })

      test('from the middle of a file on, keeps nothing after the removal of the file', async () => {
        proxy.fail({ kind: 'cut-request', after: 0 }, { when: isWrite, skip: 2 })
        await expect(add(large)).rejects.toThrow(StoreUnavailableError)
        proxy.heal()
        await expect(backend.get('key')).rejects.toThrow(MissingDataError)
        await backend.remove('key')
        expect(await store.stored()).toEqual([])
      })

      test('in the middle of a read, is distinguished from the end', async () => {
        await add(large)
        proxy.fail({ kind: 'cut-response', after: 1_000 }, { when: isRead })
        await expect(read()).rejects.toThrow(StoreUnavailableError)
      })

      test('or does not respond, times out', async () => {
        await add(bytesOf(10))
        backend = await store.open(shortIdleTimeout)
        proxy.fail({ kind: 'stall' }, { when: any })
        await expect(read()).rejects.toThrow(StoreUnavailableError)
      })
    })

    test('a read that stalls continues on another connection', async () => {
      await add(large)
      backend = await store.open(shortIdleTimeout)
      proxy.fail({ kind: 'stall-response', after: 300_000 }, { when: isRead, times: 1 })
      expect((await read()).equals(large)).toBe(true)
      expect(proxy.requests.filter((line) => isRead.test(line))).toHaveLength(2)
    })

    test('a slow reader does not count as a stalled store', async () => {
      await add(large)
      backend = await store.open(shortIdleTimeout)
      const chunks = (await backend.get('key'))[Symbol.asyncIterator]()
      const first = await chunks.next()
      // The only wait by the real clock, because the timeout of the connection is the subject.
      await new Promise((resolve) => setTimeout(resolve, shortIdleTimeout * 1.5))
      const rest = await collect({ [Symbol.asyncIterator]: () => chunks })
      expect(Buffer.concat([first.value as Uint8Array, rest]).equals(large)).toBe(true)
      expect(proxy.requests.filter((line) => isRead.test(line))).toHaveLength(1)
    })

    test('a permanent error is not retried', async () => {
      await add(bytesOf(10))
      const before = proxy.requests.length
      proxy.fail({ kind: 'respond', status: 403 }, { when: any })
      await expect(backend.get('key')).rejects.toThrow(StoreUnavailableError)
      expect(proxy.requests.length - before).toBeLessThanOrEqual(2)
    })

    test.each([413, 507])('that is full reports it for %d', async (status) => {
      proxy.fail({ kind: 'respond', status }, { when: isWrite })
      await expect(add(large)).rejects.toThrow(NoSpaceError)
      proxy.heal()
      expect(await store.stored()).toEqual([])
    })

    test.each([1, 2, 3, 4])('an abort during write %d leaves nothing behind', async (count) => {
      const held = Promise.withResolvers<undefined>()
      const abort = new AbortController()
      const reason = new Error('not wanted any more')
      const failed = proxy.fail({ kind: 'hold', until: held.promise }, { when: isWrite, skip: count - 1 })
      const added = backend.add('key', inChunks(large, 50_000), abort.signal)
      const rejected = expect(added).rejects.toBe(reason)
      await until('the write is on its way', () => failed() > 0)
      abort.abort(reason)
      held.resolve(undefined)
      await rejected
      proxy.heal()
      await expect(backend.get('key')).rejects.toThrow(MissingDataError)
      expect(await store.stored()).toEqual([])
    })

    test('a file that is removed during a read does not end early without an error', async () => {
      await add(large)
      proxy.fail({ kind: 'cut-response', after: 300_000 }, { when: isRead, times: 1 })
      const chunks = (await backend.get('key'))[Symbol.asyncIterator]()
      await chunks.next()
      await backend.remove('key')
      await expect(collect({ [Symbol.asyncIterator]: () => chunks })).rejects.toThrow(MissingDataError)
    })
  })
}
