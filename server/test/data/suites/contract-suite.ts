import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MissingDataError, type DataBackend } from '../../../src/data/backend/backend.ts'
import { InvalidKeyError } from '../../../src/data/backend/key.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { never } from '../../support/signals.ts'
import { kibibyte, mebibyte } from '../../../src/domain/sizes.ts'

/** One store under test, empty at the start. */
export interface StoreUnderTest {
  readonly backend: DataBackend
  /** Names of all stored objects in the store's notation, so that leftovers are seen. */
  readonly stored: () => Promise<readonly string[]>
  readonly close?: () => Promise<void>
}

const boundarySizes = [64 * kibibyte, 512 * kibibyte, mebibyte].flatMap((size) => [size - 1, size, size + 1])
const hostileKeys = [
  '',
  '.',
  '..',
  'a/b',
  '../up',
  'a\\b',
  'a.part',
  'a\0b',
  'ä',
  '%2e%2e',
  'a b',
  'C:',
  '-rf',
  'a'.repeat(65),
]

/**
 * The contract of every data backend.
 * @param removesMany whether it can remove many objects with one request
 */
export function testDataBackend(
  name: string,
  open: () => Promise<StoreUnderTest>,
  { removesMany = false } = {},
): void {
  describe(`a ${name} store`, () => {
    let store: StoreUnderTest
    let backend: DataBackend

    beforeEach(async () => {
      store = await open()
      backend = store.backend
    })
    afterEach(() => store.close?.())

    const add = (key: string, bytes: Uint8Array) => backend.add(key, inChunks(bytes, 64 * kibibyte), never)
    const read = async (key: string) => collect(await backend.get(key))

    test.each([0, 1, ...boundarySizes])('returns %d bytes unchanged', async (size) => {
      const bytes = bytesOf(size)
      await add('key', bytes)
      expect((await read('key')).equals(bytes)).toBe(true)
    })

    test('accepts chunks of any size from a source that reuses its memory', async () => {
      let number = 0
      const chunkings = fc.tuple(fc.nat(300_000), fc.integer({ min: 1_000, max: 100_000 }))
      await fc.assert(
        fc.asyncProperty(chunkings, async ([size, chunkSize]) => {
          number += 1
          const key = `key${String(number)}`
          const bytes = bytesOf(size)
          await backend.add(key, inChunks(bytes, chunkSize), never)
          expect((await read(key)).equals(bytes)).toBe(true)
        }),
        { numRuns: 25 },
      )
    })

    test('accepts one byte at a time', async () => {
      const bytes = bytesOf(1_000)
      await backend.add('key', inChunks(bytes, 1), never)
      expect((await read('key')).equals(bytes)).toBe(true)
    })

    test.each([
      [0, 0],
      [0, 199_999],
      [65_535, 65_536],
      [100, 131_072],
      [199_999, 199_999],
      [199_990, 300_000],
    ])('returns the range from %d to %d', async (start, end) => {
      const bytes = bytesOf(200_000)
      await add('key', bytes)
      const range = await collect(await backend.get('key', { start, end }))
      expect(range.equals(bytes.subarray(start, end + 1))).toBe(true)
    })

    test('yields chunks with separate memory, which the reader may detach', async () => {
      const bytes = bytesOf(3 * mebibyte)
      await add('key', bytes)
      for (let time = 0; time < 2; time += 1) {
        const chunks = await Array.fromAsync(await backend.get('key'))
        expect(Buffer.concat(chunks).equals(bytes)).toBe(true)
        for (const { buffer } of chunks)
          if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
      }
    })

    test('allows a reader to stop early, or never to start', async () => {
      await add('key', bytesOf(200_000))
      for await (const chunk of await backend.get('key')) {
        expect(chunk.length).toBeGreaterThan(0)
        break
      }
      const unread = await backend.get('key')
      await unread[Symbol.asyncIterator]().return?.()
    })

    test('keeps parallel writes apart', async () => {
      const all = Array.from({ length: 40 }, (_, index) => ({
        key: `key${String(index)}`,
        bytes: bytesOf(index * 5_000, index),
      }))
      await Promise.all(all.map(({ key, bytes }) => add(key, bytes)))
      const back = await Promise.all(all.map(({ key }) => read(key)))
      expect(back.map((bytes, index) => bytes.equals(all[index]?.bytes ?? bytesOf(1)))).toEqual(
        all.map(() => true),
      )
    })

    test('has nothing under an unused key', async () => {
      await expect(backend.get('missing')).rejects.toThrow(MissingDataError)
      if (backend.open !== undefined) await expect(backend.open('missing')).rejects.toThrow(MissingDataError)
    })

    describe('random access', () => {
      test('fills memory from any position, and reports the end', async () => {
        if (backend.open === undefined) return
        const bytes = bytesOf(100_000)
        await add('key', bytes)
        const reader = await backend.open('key')
        const into = new Uint8Array(1_000)
        const readAt = async (position: number) => {
          const count = await reader.read(into, position)
          return (
            Buffer.from(into.subarray(0, count)).equals(bytes.subarray(position, position + count)) && count
          )
        }
        expect([await readAt(0), await readAt(70_000), await readAt(99_500), await readAt(100_000)]).toEqual([
          1_000, 1_000, 500, 0,
        ])
        await reader.close()
      })
    })

    describe('leaves nothing behind', () => {
      afterEach(async () => {
        await expect(backend.get('key')).rejects.toThrow(MissingDataError)
        expect(await store.stored()).toEqual([])
      })

      test.each([0, 1, 70_000, 3 * mebibyte])('of a source that fails after %d bytes', async (size) => {
        const failure = new Error('the source broke')
        async function* broken() {
          yield* inChunks(bytesOf(size), 64 * kibibyte)
          throw failure
        }
        await expect(backend.add('key', broken(), never)).rejects.toBe(failure)
      })

      test('of a write that is aborted before it begins, and does not read its source', async () => {
        let sourceRead = false
        // eslint-disable-next-line @typescript-eslint/require-await -- a source is asynchronous
        async function* source() {
          sourceRead = true
          yield bytesOf(1)
        }
        const reason = new Error('not wanted')
        await expect(backend.add('key', source(), AbortSignal.abort(reason))).rejects.toBe(reason)
        expect(sourceRead).toBe(false)
      })

      test('of a write that is aborted between two chunks', async () => {
        const abort = new AbortController()
        const reason = new Error('cut')
        async function* source() {
          yield* inChunks(bytesOf(mebibyte), 64 * kibibyte)
          abort.abort(reason)
          yield bytesOf(10)
        }
        await expect(backend.add('key', source(), abort.signal)).rejects.toBe(reason)
      })

      test('of a write that is aborted after the last chunk', async () => {
        const abort = new AbortController()
        const reason = new Error('cut')
        async function* source() {
          yield* inChunks(bytesOf(10), 64 * kibibyte)
          abort.abort(reason)
        }
        await expect(backend.add('key', source(), abort.signal)).rejects.toBe(reason)
      })

      test('of a write that is aborted while the source stalls', async () => {
        const abort = new AbortController()
        const reason = new Error('cut')
        const asleep = Promise.withResolvers<undefined>()
        async function* source() {
          yield bytesOf(100_000)
          asleep.resolve(undefined)
          await new Promise(() => undefined)
        }
        const added = backend.add('key', source(), abort.signal)
        await asleep.promise
        abort.abort(reason)
        await expect(added).rejects.toBe(reason)
      })

      test('of a removed file', async () => {
        await add('key', bytesOf(100_000))
        await backend.remove('key')
      })

      test('of a file that is removed while it is written', async () => {
        const started = Promise.withResolvers<undefined>()
        const removed = Promise.withResolvers<undefined>()
        async function* source() {
          yield bytesOf(100_000)
          started.resolve(undefined)
          await removed.promise
          yield bytesOf(100_000)
        }
        const added = backend.add('key', source(), never).then(
          () => 'stored',
          () => 'refused',
        )
        await started.promise
        await backend.remove('key')
        removed.resolve(undefined)
        // A store that does not know of unfinished writes may finish this one; a second removal then removes
        // it.
        if ((await added) === 'stored') await backend.remove('key')
      })

      test('when a missing file is removed, once or twice', async () => {
        await backend.remove('key')
        await backend.remove('key')
      })
    })

    test('keeps a file whose signal is aborted after the write', async () => {
      const abort = new AbortController()
      await backend.add('key', inChunks(bytesOf(10), 10), abort.signal)
      abort.abort()
      expect((await read('key')).equals(bytesOf(10))).toBe(true)
    })

    test('announces whether it removes many files at once', () => {
      expect(backend.removeMany !== undefined).toBe(removesMany)
    })

    if (removesMany)
      test('removes many files and keeps the others; missing files are not an error', async () => {
        const removeMany = backend.removeMany ?? (() => Promise.reject(new Error('it removes one by one')))
        const keys = Array.from({ length: 12 }, (_, n) => `key${String(n)}`)
        await Promise.all(keys.map((key) => add(key, bytesOf(10))))
        await add('other', bytesOf(10))
        expect((await removeMany([...keys, 'gone'])).size).toBe(0)
        expect(await store.stored()).toEqual([expect.stringContaining('other')])
        expect((await removeMany(keys)).size).toBe(0)
        expect((await removeMany([])).size).toBe(0)
        await expect(removeMany(['key', '../up'])).rejects.toThrow(InvalidKeyError)
      })

    test('removes one file and keeps the others', async () => {
      await add('key1', bytesOf(10))
      await add('key2', bytesOf(20))
      await backend.remove('key1')
      expect(await read('key2')).toHaveLength(20)
    })

    test.each(hostileKeys)('rejects the key %j', async (key) => {
      await expect(add(key, bytesOf(1))).rejects.toThrow(InvalidKeyError)
      await expect(backend.get(key)).rejects.toThrow(InvalidKeyError)
      await expect(backend.remove(key)).rejects.toThrow(InvalidKeyError)
      if (backend.open !== undefined) await expect(backend.open(key)).rejects.toThrow(InvalidKeyError)
      expect(await store.stored()).toEqual([])
    })
  })
}
