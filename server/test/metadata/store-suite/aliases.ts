import { limits } from '@svc/contract'
import { expect, test } from 'vitest'
import { randomId } from '../../../src/domain/ids.ts'
import type { MetadataStore } from '../../../src/metadata/store.ts'

const hold = limits.aliasHoldDays * 86_400_000
let made = 0

/** The aliases of uploads. */
export function aliasesSuite(store: () => MetadataStore): void {
  const newAlias = () => `alias-${String((made += 1))}`
  const newId = () => randomId((bytes) => crypto.getRandomValues(bytes))
  const take = (alias: string, uploadId: string, now = 1) =>
    store().transaction(({ aliases }) => aliases.take({ alias, uploadId }, now))

  test('an alias leads to the upload that took it first, and taking it again changes nothing', async () => {
    const [alias, first, second] = [newAlias(), newId(), newId()]
    expect([await take(alias, first), await take(alias, second), await take(alias, first)]).toEqual([
      true,
      false,
      true,
    ])
    const { aliases } = store()
    expect([await aliases.uploadOf(alias), await aliases.of(first), await aliases.of(second)]).toEqual([
      first,
      alias,
      undefined,
    ])
  })

  test('of parallel uploads, one gets an alias', async () => {
    const alias = newAlias()
    const results = await Promise.all(Array.from({ length: 8 }, () => take(alias, newId())))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  test('an ended alias leads nowhere, and is free for others after its time', async () => {
    const [alias, first, second] = [newAlias(), newId(), newId()]
    const { aliases } = store()
    await take(alias, first)
    await aliases.hold([first], 5)
    expect([await aliases.uploadOf(alias), await aliases.of(first)]).toEqual([undefined, undefined])
    expect(await take(alias, second, 5 + hold - 1)).toBe(false)
    expect(await take(alias, second, 5 + hold)).toBe(true)
    expect(await aliases.uploadOf(alias)).toBe(second)
  })

  test('an upload can take its ended alias again', async () => {
    const [alias, other, upload] = [newAlias(), newAlias(), newId()]
    const { aliases } = store()
    await take(alias, upload)
    await take(other, upload)
    await aliases.hold([upload], 5, other)
    expect(await aliases.of(upload)).toBe(other)
    expect(await take(alias, upload, 6)).toBe(true)
    await aliases.hold([upload], 6, alias)
    expect([await aliases.of(upload), await aliases.uploadOf(other)]).toEqual([alias, undefined])
  })

  test('the aliases of a blanked upload stay reserved, and cleanup frees them in the end', async () => {
    const [alias, upload, other] = [newAlias(), newId(), newId()]
    const { aliases, uploadBatches } = store()
    await take(alias, upload)
    await uploadBatches.blank([upload], 7)
    expect(await aliases.uploadOf(alias)).toBe(undefined)
    await aliases.removeExpired(7 + hold - 1)
    expect(await take(alias, other, 8)).toBe(false)
    await aliases.removeExpired(7 + hold)
    expect(await take(alias, other, 8)).toBe(true)
  })
}
