import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  MissingDataError,
  NoSpaceError,
  StoreUnavailableError,
  type DataBackend,
  type ResumePoint,
} from '../../../src/data/backend/backend.ts'
import type { FaultyProxy } from '../../support/servers/faulty-proxy.ts'
import { manualClock, type ManualClock } from '../../support/clocks/manual-clock.ts'
import {
  chunksOf,
  resumableCaller,
  resumableOf,
  type ResumableCaller,
} from '../../support/stores/resumable-caller.ts'
import { until } from '../../support/until.ts'
import { bytesOf, collect } from '../../support/bytes.ts'
import type { NetworkStoreUnderTest } from './network-store.ts'
import { never } from '../../support/signals.ts'

export interface PartProperties {
  /** Size in bytes of the parts of a file. */
  readonly partSize: number
  /** The requests that write a part, and those that combine parts. */
  readonly isWrite: RegExp
  readonly isMerge: RegExp
  /** Objects of a finished file of several parts. */
  readonly objectsOf: (parts: number) => number
}

/** Fewer than in production, because the number of appends makes the tests slow. */
const run = 8

const any = /./
const key = 'key'

/** The contract of network stores for resumable uploads when the network, the store or the service fails. */
export function testParts(
  name: string,
  { partSize, isWrite, isMerge, objectsOf }: PartProperties,
  /**
   * @param mergeCount small parts that are merged into one
   * @param clock clock of every backend
   */
  start: (mergeCount: number, clock: ManualClock) => Promise<NetworkStoreUnderTest>,
): void {
  describe(`resumable uploads in a ${name} store over an unreliable network`, () => {
    let store: NetworkStoreUnderTest
    let clock: ManualClock
    let proxy: FaultyProxy
    let backend: DataBackend

    beforeEach(async () => {
      clock = manualClock()
      store = await start(run, clock)
      ;({ proxy } = store)
      backend = await store.open()
    })
    afterEach(() => store.close())

    const large = bytesOf(3 * partSize + 1_000)
    /** An unfinished file; all its calls use the same backend. */
    const begin = () => resumableCaller(key, () => backend)
    /** Restarts the service. */
    const restart = async () => {
      backend = await store.open()
    }
    const expectFinished = async (file: ResumableCaller, bytes: Uint8Array) => {
      await file.finish()
      expect((await collect(await backend.get(key))).equals(bytes)).toBe(true)
    }
    /** The largest number of parts without a merge; the next append merges them. */
    const appendRun = async (file: ResumableCaller, bytes: Uint8Array) => {
      for (let index = 0; index < run; index += 1) await file.append(bytes.subarray(index, index + 1))
    }

    describe.each([
      ['once', 1],
      ['three times', 3],
    ])('that fails %s', (_, times) => {
      test.each([
        ['is cut at once', { kind: 'cut-request', after: 0 }],
        ['is cut in the middle', { kind: 'cut-request', after: 100_000 }],
        ['loses the response', { kind: 'lose-response' }],
        ['receives 503', { kind: 'respond', status: 503 }],
      ] as const)('a write that %s continues', async (_, fault) => {
        const file = await begin()
        proxy.fail(fault, { when: isWrite, skip: 1, times })
        await file.append(large)
        await expectFinished(file, large)
      })

      test.each([
        ['receives 503', { kind: 'respond', status: 503 }],
        ['is cut', { kind: 'cut-request', after: 0 }],
        ['loses its responses', { kind: 'lose-response' }],
      ] as const)('a finish that %s continues', async (_, fault) => {
        const file = await begin()
        await file.append(large)
        proxy.fail(fault, { when: any, times })
        await expectFinished(file, large)
        expect(await store.stored()).toHaveLength(objectsOf(4))
      })

      test('a merge continues', async () => {
        const file = await begin()
        await appendRun(file, large)
        const broken = [
          proxy.fail({ kind: 'lose-response' }, { when: isMerge, times }),
          proxy.fail({ kind: 'cut-request', after: 10 }, { when: isWrite, times: 1 }),
        ]
        await file.append(large.subarray(run))
        expect(broken.map((count) => count())).toEqual([times, 1])
        await expectFinished(file, large)
      })
    })

    test('an append that the store aborts keeps the reported bytes, and continues after them after a restart', async () => {
      const file = await begin()
      proxy.fail({ kind: 'cut-request', after: 1_000 }, { when: isWrite, skip: 2 })
      await expect(file.append(large)).rejects.toThrow(StoreUnavailableError)
      expect(file.lastPart().offset).toBe(2 * partSize)
      proxy.heal()
      await restart()
      const other = bytesOf(partSize + 5, 2)
      await file.append(other)
      await expectFinished(file, Buffer.concat([large.subarray(0, 2 * partSize), other]))
      expect(await store.stored()).toHaveLength(objectsOf(4))
    })

    test('a store that is unreachable reports it, and the stored bytes remain valid', async () => {
      const file = await begin()
      await file.append(large)
      proxy.fail({ kind: 'respond', status: 503 }, { when: any })
      await expect(file.append(large)).rejects.toThrow(StoreUnavailableError)
      await expect(file.finish()).rejects.toThrow(StoreUnavailableError)
      await expect(file.discard()).rejects.toThrow(StoreUnavailableError)
      proxy.heal()
      await expectFinished(file, large)
    })

    test.each([413, 507])('a store that is full reports it for %d', async (status) => {
      const file = await begin()
      await file.append(large)
      proxy.fail({ kind: 'respond', status }, { when: isWrite })
      await expect(file.append(large)).rejects.toThrow(NoSpaceError)
      proxy.heal()
      await expectFinished(file, large)
    })

    test('an abort during a write ends the append, and reports nothing of that write', async () => {
      const file = await begin()
      await file.append(large)
      const held = Promise.withResolvers<undefined>()
      const failed = proxy.fail({ kind: 'hold', until: held.promise }, { when: isWrite, times: 1 })
      const abort = new AbortController()
      const reason = new Error('not wanted any more')
      const appended = file.appendFrom(chunksOf(large, [50_000]), abort.signal)
      const rejected = expect(appended).rejects.toBe(reason)
      await until('the write is on its way', () => failed() > 0)
      abort.abort(reason)
      held.resolve(undefined)
      await rejected
      expect(file.lastPart().offset).toBe(large.length)
      await expectFinished(file, large)
      expect(await store.stored()).toHaveLength(objectsOf(4))
    })

    describe('interrupted by a crash', () => {
      /** Allows a number of requests of the operation, and no more, and then restarts the service. */
      const crashAfter = async (requests: number, work: () => Promise<void>): Promise<boolean> => {
        proxy.fail({ kind: 'cut-request', after: 0 }, { when: any, skip: requests })
        const isDone = await work().then(
          () => true,
          () => false,
        )
        proxy.heal()
        await restart()
        return isDone
      }

      test('a finish is completed by the next one', async () => {
        for (let requests = 0, isDone = false; !isDone; requests += 1) {
          const file = await begin()
          await file.append(large)
          isDone = await crashAfter(requests, file.finish)
          await expectFinished(file, large)
          expect(await store.stored()).toHaveLength(objectsOf(4))
          await file.discard()
        }
      })

      test('discarding a file is completed by the next call', async () => {
        for (let requests = 0, isDone = false; !isDone; requests += 1) {
          const file = await begin()
          await file.append(large)
          if (requests % 2 === 0) await file.finish()
          isDone = await crashAfter(requests, file.discard)
          await file.discard()
          expect(await store.stored()).toEqual([])
          await expect(backend.get(key)).rejects.toThrow(MissingDataError)
        }
      })
    })

    describe('of many small appends', () => {
      test('returns all bytes, and never keeps many parts', async () => {
        const bytes = bytesOf(3 * run)
        const file = await begin()
        const counts: number[] = []
        for (let index = 0; index < bytes.length; index += 1) {
          await file.append(bytes.subarray(index, index + 1))
          if (index % 8 === 0) counts.push((await store.stored()).length)
        }
        // The merged parts stay until the next append.
        expect(Math.max(...counts)).toBeLessThanOrEqual(2 * run + 2)
        await expectFinished(file, bytes)
        expect(await store.stored()).toHaveLength(objectsOf(run + 2))
      })

      test('continues from before and after a merge', async () => {
        const file = await begin()
        await appendRun(file, large)
        const before = file.lastPart()
        const merges = () => proxy.requests.filter((line) => isMerge.test(line)).length
        const without = merges()
        await file.append(bytesOf(10, 2))
        const with_ = merges()
        expect(with_).toBeGreaterThan(without)
        file.goBack(before)
        await restart()
        await file.append(bytesOf(20, 3))
        await file.append(bytesOf(30, 4))
        const expected = [large.subarray(0, run), bytesOf(20, 3), bytesOf(30, 4)]
        await expectFinished(file, Buffer.concat(expected))
        expect(await store.stored()).toHaveLength(objectsOf(3))
      })

      test('keeps its bytes when a merge fails', async () => {
        const file = await begin()
        await appendRun(file, large)
        proxy.fail({ kind: 'respond', status: 503 }, { when: isMerge })
        await expect(file.append(large)).rejects.toThrow(StoreUnavailableError)
        proxy.heal()
        await expectFinished(file, large.subarray(0, run))
      })
    })

    test('removes with the next append what a reverted append left, every time', async () => {
      const file = await begin()
      await file.append(bytesOf(10))
      const from = file.lastPart()
      for (let round = 0; round < 5; round += 1) {
        await file.append(large)
        file.goBack(from)
        expect((await store.stored()).length).toBeLessThanOrEqual(5)
      }
      await expectFinished(file, bytesOf(10))
    })

    test('stores the bytes of a slow sender while it waits for more', async () => {
      const reported: ResumePoint[] = []
      const going = Promise.withResolvers<undefined>()
      async function* slow() {
        yield bytesOf(100)
        await going.promise
        yield bytesOf(50, 2)
      }
      const writes = resumableOf(backend)
      const commit = (stored: ResumePoint) => {
        reported.push(stored)
        return Promise.resolve()
      }
      const appended = writes.append(key, await writes.begin(key), slow(), { signal: never, commit })
      await until('the bytes are stored', () => {
        clock.advance(1_000)
        return reported.length > 0
      })
      expect(reported.map(({ offset }) => offset)).toEqual([100])
      going.resolve(undefined)
      const stored = await appended
      expect(stored.offset).toBe(150)
      await writes.finish(key, stored)
      expect(await collect(await backend.get(key))).toEqual(Buffer.concat([bytesOf(100), bytesOf(50, 2)]))
    })
  })
}
