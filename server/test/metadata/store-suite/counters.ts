import { expect, test } from 'vitest'
import type { MetadataStore, OpenMetadataStore } from '../../../src/metadata/store.ts'

/** The contract of the table `totals`. */
export function totalsSuite(store: () => OpenMetadataStore): void {
  test('parallel transactions count all committed changes, and nothing of a failed one', async () => {
    const before = await store().totals.ofServer()
    const add = (userId: string | null, files: number) =>
      store().transaction(({ totals }: MetadataStore) => totals.add(userId, { files, size: 10 }))
    const fail = store().transaction(async ({ totals }) => {
      await totals.add('total:a', { files: 1_000, size: 1 })
      throw new Error('refused')
    })
    const ended = await Promise.allSettled([add('total:a', 1), add(null, 2), fail, add('total:a', 3)])
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await store().totals.ofUser('total:a')).toEqual({ uploads: 0, files: 4, totalSize: 20 })
    const after = await store().totals.ofServer()
    expect(after.files - before.files).toBe(6)
    expect(after.anonymousTotalSize - before.anonymousTotalSize).toBe(10)
  })

  test('a user who is forgotten in a transaction is counted from zero by the next', async () => {
    const count = (files: number, forgets: boolean) =>
      store().transaction(async ({ totals }) => {
        await totals.add('total:b', { files })
        if (forgets) await totals.remove('total:b')
      })
    const countFiles = async () => (await store().totals.ofUser('total:b')).files
    await count(1, false)
    await count(2, true)
    expect(await countFiles()).toBe(0)
    await count(4, false)
    expect(await countFiles()).toBe(4)
  })
}
