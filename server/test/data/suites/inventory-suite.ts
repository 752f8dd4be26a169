import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DataBackend, ResumableWrites } from '../../../src/data/backend/backend.ts'
import { InvalidKeyError } from '../../../src/data/backend/key.ts'
import type { Inventory, StoredKey } from '../../../src/data/backend/inventory.ts'
import { bytesOf, collect, inChunks } from '../../support/bytes.ts'
import { never } from '../../support/signals.ts'

/** One store under test, empty at the start. */
export interface InventoryUnderTest {
  readonly backend: DataBackend
  /** Stores bytes under a name that the service does not use; absent where this is impossible. */
  readonly addForeign?: (name: string) => Promise<void>
  readonly close?: () => Promise<void>
}

export interface InventoryProperties {
  /** Bytes of a file that the store keeps in several parts, if it has parts. */
  readonly large: number
  /** Files in one page of the store's listing. */
  readonly page: number
  /** Whether the parts of an unfinished file prevent another file under its key. */
  readonly partsBlock?: boolean
  /**
   * Whether the store cannot distinguish the parts of a large file from those of an unfinished one under the
   * same key.
   */
  readonly partsLookAlike?: boolean
}

/** The contract of every inventory. */
export function testInventory(
  name: string,
  { large, page, partsBlock = false, partsLookAlike = false }: InventoryProperties,
  start: () => Promise<InventoryUnderTest>,
): void {
  describe(`the inventory of a ${name} store`, () => {
    let store: InventoryUnderTest
    let backend: DataBackend
    let inventory: Inventory
    let resumable: ResumableWrites

    beforeEach(async () => {
      store = await start()
      backend = store.backend
      if (backend.inventory === undefined || backend.resumable === undefined) throw new Error('it has none')
      inventory = backend.inventory
      resumable = backend.resumable
    })
    afterEach(() => store.close?.())

    const add = (key: string, size: number) => backend.add(key, inChunks(bytesOf(size), 60_000), never)
    const append = async (key: string, size: number) => {
      const from = await resumable.begin(key)
      const commit = () => Promise.resolve()
      return resumable.append(key, from, inChunks(bytesOf(size), 60_000), { signal: never, commit })
    }
    const list = () => Array.fromAsync(inventory.list())
    const withoutTime = (stored: StoredKey | null) =>
      stored === null ? null : { key: stored.key, size: stored.size, unfinished: stored.unfinished }
    const whole = (key: string, size: number) => ({ key, size, unfinished: false })

    test('of an empty store is empty', async () => {
      expect(await list()).toEqual([])
      expect(await inventory.inspect('key')).toBeNull()
      await inventory.removeUnfinished('key')
      expect(await list()).toEqual([])
    })

    test('has each file with its size, in the order of their keys', async () => {
      const sizes = { b: 10, B: 0, 9: 1, aa: 70_000, a: 20, ab: large, Ba: 3 }
      for (const [key, size] of Object.entries(sizes)) await add(key, size)
      const listed = await list()
      expect(listed.map(withoutTime)).toEqual(
        ['9', 'B', 'Ba', 'a', 'aa', 'ab', 'b'].map((key) => whole(key, sizes[key as keyof typeof sizes])),
      )
      for (const stored of listed)
        expect(withoutTime(await inventory.inspect(stored.key))).toEqual(withoutTime(stored))
      await backend.remove('aa')
      expect((await list()).map(({ key }) => key)).toEqual(['9', 'B', 'Ba', 'a', 'ab', 'b'])
      expect(await inventory.inspect('aa')).toBeNull()
    })

    test('lists more than one page', async () => {
      const keys = Array.from({ length: page + 20 }, (_, index) => `k${String(index).padStart(5, '0')}`)
      for (let from = 0; from < keys.length; from += 50)
        await Promise.all(keys.slice(from, from + 50).map((key) => add(key, 1)))
      expect((await list()).map(({ key }) => key)).toEqual(keys)
    })

    test.each([1_000, large])(
      'distinguishes an unfinished file of %d bytes from a finished one',
      async (size) => {
        await add('before', 5)
        const stored = await append('key', size)
        const unfinished = { key: 'key', size: null, unfinished: true }
        expect((await list()).map(withoutTime)).toEqual([whole('before', 5), unfinished])
        expect(withoutTime(await inventory.inspect('key'))).toEqual(unfinished)
        await resumable.finish('key', stored)
        expect((await list()).map(withoutTime)).toEqual([whole('before', 5), whole('key', size)])
        expect(withoutTime(await inventory.inspect('key'))).toEqual(whole('key', size))
      },
    )

    test.each([10, large])('removes an unfinished file under the key of a file of %d bytes', async (size) => {
      if (partsBlock) await add('key', size)
      await append('key', 1_000)
      if (!partsBlock) await add('key', size)
      await append('other', 1_000)
      const both = { key: 'key', size, unfinished: true }
      expect((await list()).map(withoutTime)[0]).toEqual(both)
      expect(withoutTime(await inventory.inspect('key'))).toEqual(both)
      await inventory.removeUnfinished('key')
      await inventory.removeUnfinished('other')
      const stay = partsLookAlike && size === large
      expect((await list()).map(withoutTime)).toEqual([stay ? both : whole('key', size)])
      expect((await collect(await backend.get('key'))).equals(bytesOf(size))).toBe(true)
    })

    test('omits names that are not keys', async () => {
      if (store.addForeign === undefined) return
      await add('key', 5)
      for (const foreign of ['key_1', 'a-b', 'folder/notes.txt']) await store.addForeign(foreign)
      const listed = (await list()).map(({ key }) => key)
      // The name of a part shows only that its file is unfinished.
      expect(listed.filter((key) => key !== 'folder')).toEqual(['key'])
    })

    test.each(['', '..', 'a/b', 'a.part', '../key', 'ä'])('rejects the key %j', async (key) => {
      await expect(inventory.inspect(key)).rejects.toThrow(InvalidKeyError)
      await expect(inventory.removeUnfinished(key)).rejects.toThrow(InvalidKeyError)
      if (inventory.quarantine !== undefined)
        await expect(inventory.quarantine(key)).rejects.toThrow(InvalidKeyError)
    })
  })
}
