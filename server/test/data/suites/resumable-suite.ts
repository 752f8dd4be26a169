import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MissingDataError, type ResumePoint } from '../../../src/data/backend/backend.ts'
import { InvalidKeyError } from '../../../src/data/backend/key.ts'
import {
  chunksOf,
  resumableCaller,
  resumableOf,
  type ResumableCaller,
} from '../../support/stores/resumable-caller.ts'
import { bytesOf, collect } from '../../support/bytes.ts'
import { testBrokenAppends } from './interrupted-appends-suite.ts'
import type { ResumableStoreUnderTest } from './resumable-store.ts'
import { never } from '../../support/signals.ts'
import { mebibyte } from '../../../src/domain/sizes.ts'

export interface ResumableProperties {
  /** Bytes at which blocks, parts or segments of the store end: both sides are tested. At least one. */
  readonly borders: readonly number[]
  /** The number of bytes of one append after which a report is due at the latest. */
  readonly commitBytes: number
  /** The number of random files; 20 by default. */
  readonly runs?: number
}

const key = 'key'

/** The contract of every store with resumable uploads. */
export function testResumableWrites(
  name: string,
  { borders, commitBytes, runs = 20 }: ResumableProperties,
  start: () => Promise<ResumableStoreUnderTest>,
): void {
  const interesting = [0, 1, ...borders.flatMap((border) => [border - 1, border, border + 1])]
  const largest = Math.max(...borders)
  /** Enough for some commits within one append. */
  const long = 3 * commitBytes + 1_000

  describe(`a ${name} store with resumable uploads`, () => {
    let store: ResumableStoreUnderTest

    beforeEach(async () => {
      store = await start()
    })
    afterEach(() => store.close?.())

    const begin = (fileKey = key) => resumableCaller(fileKey, store.open)
    const read = async (fileKey = key) => collect(await (await store.open()).get(fileKey))
    const expectMissing = async (fileKey = key) => {
      const backend = await store.open()
      await expect(backend.get(fileKey)).rejects.toThrow(MissingDataError)
      if (backend.open !== undefined) await expect(backend.open(fileKey)).rejects.toThrow(MissingDataError)
    }
    const expectFinished = async (caller: ResumableCaller, bytes: Uint8Array, fileKey = key) => {
      await caller.finish()
      expect((await read(fileKey)).equals(bytes)).toBe(true)
    }

    describe('returns', () => {
      test.each(interesting)('%d bytes of one append', async (size) => {
        const bytes = bytesOf(size)
        const file = await begin()
        await file.append(bytes)
        await expectMissing()
        await expectFinished(file, bytes)
      })

      test.each(interesting)('%d bytes of one append, and the bytes of the next ones', async (size) => {
        const bytes = bytesOf(size + largest)
        const file = await begin()
        await file.append(bytes.subarray(0, size), [300_000])
        await file.append(bytes.subarray(size), [mebibyte])
        await expectFinished(file, bytes)
      })

      test('a file without appends', async () => {
        await expectFinished(await begin(), new Uint8Array())
      })

      test('appends and chunks of any size, each append through another backend', async () => {
        let count = 0
        const size = fc.oneof(fc.nat(2 * largest), fc.nat(2_000), fc.constantFrom(...interesting))
        const chunkSize = fc.oneof(fc.integer({ min: 1_000, max: 1_500_000 }), fc.constant(mebibyte))
        const chunk = fc.tuple(size, fc.array(chunkSize, { minLength: 1, maxLength: 3 }))
        await fc.assert(
          fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), async (chunks) => {
            count += 1
            const fileKey = `key${String(count)}`
            const file = await begin(fileKey)
            const all: Buffer[] = []
            for (const [length, chunkSizes] of chunks) {
              const bytes = bytesOf(length, all.length + 1)
              all.push(bytes)
              await file.append(bytes, chunkSizes)
            }
            await expectFinished(file, Buffer.concat(all), fileKey)
            await (await store.open()).remove(fileKey)
            expect(await store.stored()).toEqual([])
          }),
          { numRuns: runs },
        )
      })

      test('appends of one byte at a time', async () => {
        const bytes = bytesOf(300)
        const file = await begin()
        await file.append(bytes.subarray(0, 100), [1])
        for (const byte of bytes.subarray(100, 110)) await file.append(Uint8Array.of(byte))
        await file.append(bytes.subarray(110), [1])
        await expectFinished(file, bytes)
      })

      test('parallel files, each with its content', async () => {
        const all = Array.from({ length: 8 }, (_, index) => ({
          fileKey: `key${String(index)}`,
          bytes: bytesOf(index * 60_000, index),
        }))
        await Promise.all(
          all.map(async ({ fileKey, bytes }) => {
            const file = await begin(fileKey)
            for (let cut = 0; cut < bytes.length; cut += 100_000)
              await file.append(bytes.subarray(cut, cut + 100_000))
            await expectFinished(file, bytes, fileKey)
          }),
        )
      })
    })

    test('reports the progress of a long append', async () => {
      const file = await begin()
      await file.append(bytesOf(long), [100_000])
      const offsets = file.history().map(({ offset }) => offset)
      const steps = offsets.map((offset, index) => offset - (offsets[index - 1] ?? 0))
      expect(Math.max(...steps)).toBeLessThanOrEqual(2 * commitBytes)
    })

    test('an empty append changes nothing', async () => {
      const bytes = bytesOf(largest + 1)
      const file = await begin()
      await file.append(new Uint8Array())
      await file.append(bytes)
      await file.append(new Uint8Array())
      await expectFinished(file, bytes)
    })

    describe('continued from an earlier offset', () => {
      const first = bytesOf(long, 1)
      const further = (file: ResumableCaller): readonly ResumePoint[] => {
        const parts = new Map(file.history().map((part) => [part.offset, part]))
        return [...parts.values()].sort((one, other) => one.offset - other.offset)
      }

      test.each([
        ['the beginning', 0],
        ['the first report', 1],
        ['the report before the end', -2],
        ['the end', -1],
      ])('(%s), keeps only the later bytes', async (_, at) => {
        const file = await begin()
        await file.append(first, [500_000])
        const point = further(file).at(at)
        if (point === undefined) throw new Error('nothing was reported')
        for (const more of [10, largest + 1, long]) {
          file.goBack(point)
          await file.append(bytesOf(more, 2), [70_000])
        }
        file.goBack(point)
        await file.append(bytesOf(5_000, 3))
        await file.append(bytesOf(largest, 4))
        const expected = [first.subarray(0, point.offset), bytesOf(5_000, 3), bytesOf(largest, 4)]
        await expectFinished(file, Buffer.concat(expected))
        await (await store.open()).remove(key)
        await file.discard()
        expect(await store.stored()).toEqual([])
      })

      test.each([...interesting, largest + 1_000])(
        '(%d bytes), and finished there, has nothing else',
        async (size) => {
          const file = await begin()
          await file.append(first.subarray(0, size))
          const point = file.lastPart()
          await file.append(bytesOf(largest + 100_000, 2))
          file.goBack(point)
          await expectFinished(file, first.subarray(0, size))
        },
      )
    })

    testBrokenAppends({ store: () => store, begin, expectMissing, expectFinished, largest, long })

    describe('finished', () => {
      test.each(interesting)('again, of %d bytes, does not change', async (size) => {
        const bytes = bytesOf(size)
        const file = await begin()
        await file.append(bytes)
        await expectFinished(file, bytes)
        await expectFinished(file, bytes)
      })

      test('when its bytes are lost, reports it', async () => {
        const file = await begin()
        await file.append(bytesOf(largest + 1))
        await (await store.open()).remove(key)
        await expect(file.finish()).rejects.toThrow(MissingDataError)
        await expectMissing()
      })
    })

    test('continued when its bytes are lost, reports it', async () => {
      const file = await begin()
      await file.append(bytesOf(largest + 1))
      await (await store.open()).remove(key)
      await expect(file.append(bytesOf(largest))).rejects.toThrow(MissingDataError)
      await file.discard()
      expect(await store.stored()).toEqual([])
    })

    describe('leaves nothing behind', () => {
      const sizes = [...interesting, long]
      /** Every stage at which a client can discard a file. */
      const stages: readonly (readonly [string, (file: ResumableCaller) => Promise<void>])[] = [
        ['begun', () => Promise.resolve()],
        ...sizes.map(
          (size) =>
            [
              `appended ${String(size)} bytes to`,
              (file: ResumableCaller) => file.append(bytesOf(size)),
            ] as const,
        ),
        [
          'appended to twice',
          async (file) => {
            await file.append(bytesOf(largest + 10))
            await file.append(bytesOf(10))
          },
        ],
        [
          'taken back',
          async (file) => {
            const start = file.lastPart()
            await file.append(bytesOf(long))
            file.goBack(start)
          },
        ],
        [
          'finished',
          async (file) => {
            await file.append(bytesOf(largest + 10))
            await file.finish()
          },
        ],
      ]

      test.each(stages)('of an upload that is discarded once it was %s', async (_, reach) => {
        const file = await begin()
        await reach(file)
        await file.discard()
        expect(await store.stored()).toEqual([])
        await expectMissing()
        await file.discard()
        expect(await store.stored()).toEqual([])
      })

      test.each(stages)('of an upload that is removed and discarded once it was %s', async (_, reach) => {
        const file = await begin()
        await reach(file)
        await (await store.open()).remove(key)
        await expectMissing()
        await file.discard()
        expect(await store.stored()).toEqual([])
      })

      test('of one upload, and keeps the others', async () => {
        const [one, other] = await Promise.all([begin('key1'), begin('key')])
        const bytes = bytesOf(largest + 10)
        for (const file of [one, other]) await file.append(bytes)
        await other.discard()
        await expectFinished(one, bytes, 'key1')
      })
    })

    test.each(['', '..', 'a/b', 'a.part', 'a'.repeat(65)])('rejects the key %j', async (invalidKey) => {
      const writes = resumableOf(await store.open())
      const stored = { offset: 0, session: '' }
      const commit = () => Promise.resolve()
      await expect(writes.begin(invalidKey)).rejects.toThrow(InvalidKeyError)
      await expect(
        writes.append(invalidKey, stored, chunksOf(bytesOf(1), [1]), { signal: never, commit }),
      ).rejects.toThrow(InvalidKeyError)
      await expect(writes.finish(invalidKey, stored)).rejects.toThrow(InvalidKeyError)
      await expect(writes.discard(invalidKey, stored)).rejects.toThrow(InvalidKeyError)
      expect(await store.stored()).toEqual([])
    })
  })
}
