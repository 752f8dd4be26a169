import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { DataBackend, ResumableWrites } from '../../src/data/backend/backend.ts'
import { InvalidKeyError } from '../../src/data/backend/key.ts'
import type { Inventory, StoredKey } from '../../src/data/backend/inventory.ts'
import { bytesOf, collect, pieces } from './bytes.ts'

/** One store under test, empty at the start. */
export interface InventoryUnderTest {
  readonly backend: DataBackend
  /** Puts bytes beside the service under a name that is none of its own; absent where nobody can. */
  readonly addForeign?: (name: string) => Promise<void>
  readonly close: () => Promise<void>
}

export interface InventoryTraits {
  /** Bytes of a file that the store keeps in several parts, where it has parts. */
  readonly large: number
  /** Files in one page of the store's listing. */
  readonly page: number
  /** Whether the parts of an unfinished file keep another file from its place. */
  readonly partsBlock?: boolean
  /** Whether the store cannot tell the parts of a large file from those of an unfinished one beside it. */
  readonly partsLookAlike?: boolean
}

const never = new AbortController().signal

/** What every store must tell of what it has. */
export function testInventory(
  name: string,
  { large, page, partsBlock = false, partsLookAlike = false }: InventoryTraits,
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
    afterEach(() => store.close())

    const add = (key: string, size: number) => backend.add(key, pieces(bytesOf(size), 60_000), never)
    const append = async (key: string, size: number) => {
      const from = await resumable.begin(key)
      const commit = () => Promise.resolve()
      return resumable.append(key, from, pieces(bytesOf(size), 60_000), { signal: never, commit })
    }
    const list = () => Array.fromAsync(inventory.list())
    const withoutTime = (stored: StoredKey | null) =>
      stored === null ? null : { key: stored.key, size: stored.size, unfinished: stored.unfinished }
    const whole = (key: string, size: number) => ({ key, size, unfinished: false })

    test('of nothing is empty', async () => {
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

    test.each([1_000, large])('tells an unfinished file of %d bytes from a finished one', async (size) => {
      await add('before', 5)
      const stored = await append('key', size)
      const unfinished = { key: 'key', size: null, unfinished: true }
      expect((await list()).map(withoutTime)).toEqual([whole('before', 5), unfinished])
      expect(withoutTime(await inventory.inspect('key'))).toEqual(unfinished)
      await resumable.finish('key', stored)
      expect((await list()).map(withoutTime)).toEqual([whole('before', 5), whole('key', size)])
      expect(withoutTime(await inventory.inspect('key'))).toEqual(whole('key', size))
    })

    test.each([10, large])('removes what is unfinished beside a file of %d bytes', async (size) => {
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

    test('leaves names out that are no keys', async () => {
      if (store.addForeign === undefined) return
      await add('key', 5)
      for (const foreign of ['key_1', 'a-b', 'folder/notes.txt']) await store.addForeign(foreign)
      const listed = (await list()).map(({ key }) => key)
      // The name of a part says nothing else than that its file is unfinished.
      expect(listed.filter((key) => key !== 'folder')).toEqual(['key'])
    })

    test.each(['', '..', 'a/b', 'a.part', '../key', 'ä'])('refuses the key %j', async (key) => {
      await expect(inventory.inspect(key)).rejects.toThrow(InvalidKeyError)
      await expect(inventory.removeUnfinished(key)).rejects.toThrow(InvalidKeyError)
      if (inventory.quarantine !== undefined)
        await expect(inventory.quarantine(key)).rejects.toThrow(InvalidKeyError)
    })
  })
}
