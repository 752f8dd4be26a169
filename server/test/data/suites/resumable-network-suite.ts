import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NoSpaceError, StoreUnavailableError, type DataBackend } from '../../../src/data/backend/backend.ts'
import type { Fault } from '../../support/servers/faulty-proxy.ts'
import { chunksOf, resumableCaller, type ResumableCaller } from '../../support/stores/resumable-caller.ts'
import { until } from '../../support/until.ts'
import { bytesOf, collect } from '../../support/bytes.ts'
import type { NetworkStoreUnderTest } from './network-store.ts'
import type { NetworkStoreProperties } from './network-store-suite.ts'

const any = /./

/** The contract of network stores with resumable uploads when the network or the store fails. */
export function testResumableNetworkStore(
  name: string,
  { partSize, isWrite }: Pick<NetworkStoreProperties, 'partSize' | 'isWrite'>,
  start: () => Promise<NetworkStoreUnderTest>,
): void {
  describe(`a ${name} store with resumable uploads over an unreliable network`, () => {
    let store: NetworkStoreUnderTest
    let backend: DataBackend
    let file: ResumableCaller

    beforeEach(async () => {
      store = await start()
      backend = await store.open()
      file = await begin('key')
    })
    afterEach(() => store.close())

    const begin = (key: string) => resumableCaller(key, () => backend)
    const bytes = bytesOf(2 * partSize + 1_000)
    /** The request at which the client ends: in a part, and at the end. */
    const cuts = [partSize / 2, bytes.length]
    const sendUntil = (cut: number, caller: ResumableCaller) =>
      caller.append(bytes.subarray(caller.lastPart().offset, cut), [50_000])
    const sendAll = async (caller: ResumableCaller) => {
      for (const cut of cuts) if (cut > caller.lastPart().offset) await sendUntil(cut, caller)
      await caller.finish()
    }
    const expectWhole = async (key = 'key') => {
      const back = await collect(await backend.get(key))
      expect(back.equals(bytes)).toBe(true)
    }
    const expectNothing = async (caller: ResumableCaller) => {
      await caller.discard()
      expect(await store.stored()).toEqual([])
    }

    const faults: readonly (readonly [string, Fault])[] = [
      ['is cut', { kind: 'cut-request', after: 0 }],
      ['loses its response', { kind: 'lose-response' }],
      ['receives 503', { kind: 'respond', status: 503 }],
    ]

    test.each(faults)('works although any one request %s', async (_, fault) => {
      for (let skip = 0; ; skip += 1) {
        const key = `key${String(skip)}`
        const caller = await begin(key)
        const happened = store.proxy.fail(fault, { when: any, skip, times: 1 })
        await sendAll(caller)
        if (happened() === 0) break
        await expectWhole(key)
        await expectNothing(caller)
      }
    })

    // Where all requests are cut, none gets a response.
    test.each(faults.slice(1))(
      'continues after the stored bytes when each request %s from any one on',
      async (_, fault) => {
        for (let skip = 0; ; skip += 1) {
          const key = `key${String(skip)}`
          const caller = await begin(key)
          const happened = store.proxy.fail(fault, { when: any, skip })
          const failed = await sendAll(caller).then(
            () => false,
            (error: unknown) => error,
          )
          store.proxy.heal()
          if (happened() === 0) break
          if (failed !== false) {
            expect(failed).toBeInstanceOf(StoreUnavailableError)
            await sendAll(caller)
          }
          await expectWhole(key)
          await expectNothing(caller)
        }
      },
    )

    test('that becomes unreachable during an append reports it, and continues when it is back', async () => {
      await sendUntil(partSize / 2, file)
      async function* source() {
        yield* chunksOf(bytes.subarray(partSize / 2, 1.5 * partSize), [50_000])
        await store.proxy.down()
        yield* chunksOf(bytes.subarray(1.5 * partSize), [50_000])
      }
      await expect(file.appendFrom(source())).rejects.toThrow(StoreUnavailableError)
      await expect(file.finish()).rejects.toThrow(StoreUnavailableError)
      await expect(file.discard()).rejects.toThrow(StoreUnavailableError)
      await store.proxy.up()
      await sendAll(file)
      await expectWhole()
      await expectNothing(file)
    })

    test('that is full reports it, and continues when there is space', async () => {
      await sendUntil(partSize / 2, file)
      store.proxy.fail({ kind: 'respond', status: 507 }, { when: isWrite })
      await expect(sendUntil(bytes.length, file)).rejects.toThrow(NoSpaceError)
      store.proxy.heal()
      await sendAll(file)
      await expectWhole()
      await expectNothing(file)
    })

    test.each([1, 2, 3])('continues after an abort during write %d', async (count) => {
      const held = Promise.withResolvers<undefined>()
      const abort = new AbortController()
      const reason = new Error('the server stops')
      await sendUntil(partSize / 2, file)
      const failed = store.proxy.fail(
        { kind: 'hold', until: held.promise },
        { when: isWrite, skip: count - 1 },
      )
      const source = chunksOf(bytesOf(3 * partSize, 2), [50_000])
      const rejected = expect(file.appendFrom(source, abort.signal)).rejects.toBe(reason)
      await until('the write is on its way', () => failed() > 0)
      abort.abort(reason)
      held.resolve(undefined)
      await rejected
      store.proxy.heal()
      // From there on, the client sends different bytes.
      const { offset } = file.lastPart()
      const whole = Buffer.concat([bytes.subarray(0, partSize / 2), bytesOf(3 * partSize, 2)])
      await file.append(bytesOf(partSize, 3), [50_000])
      await file.finish()
      const back = await collect(await backend.get('key'))
      expect(back.equals(Buffer.concat([whole.subarray(0, offset), bytesOf(partSize, 3)]))).toBe(true)
      await expectNothing(file)
    })
  })
}
