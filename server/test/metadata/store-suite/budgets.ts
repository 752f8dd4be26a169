import { expect, test } from 'vitest'
import type { MetadataStore } from '../../../src/metadata/store.ts'

/** The usage of budgets, to which several processes add. */
export function budgetsSuite(store: () => MetadataStore): void {
  const rows = (until: number) =>
    ['budget a', 'budget b'].map((key, index) => ({ key, used: index + 1, until }))
  const readUsage = async () => {
    const totals = await store().budgets.totals(['budget a', 'budget b', 'budget c'])
    return Object.fromEntries(totals.map((row) => [row.key, row.used]))
  }

  test('the usage of several processes is added up in any order, and finally removed', async () => {
    const add = (index: number) =>
      store().transaction((transaction) =>
        transaction.budgets.add(index % 2 === 0 ? rows(5_000) : rows(5_000).toReversed()),
      )
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)))
    expect(await readUsage()).toEqual({ 'budget a': 20, 'budget b': 40 })
    await store().budgets.removeExpired(4_999)
    expect(await readUsage()).toEqual({ 'budget a': 20, 'budget b': 40 })
    await store().budgets.removeExpired(5_000)
    expect(await readUsage()).toEqual({})
  })
}
