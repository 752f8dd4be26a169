import { expect, test } from 'vitest'
import type { MetadataStore } from '../../src/metadata/store.ts'

/** What is used of budgets, which several processes add to. */
export function budgetsSuite(store: () => MetadataStore): void {
  const rows = (until: number) =>
    ['budget a', 'budget b'].map((key, index) => ({ key, used: index + 1, until }))
  const used = async () => {
    const totals = await store().budgets.totals(['budget a', 'budget b', 'budget c'])
    return Object.fromEntries(totals.map((row) => [row.key, row.used]))
  }

  test('what several use of a budget adds up, in whatever order they have it, and is forgotten in the end', async () => {
    const add = (index: number) =>
      store().transaction((transaction) =>
        transaction.budgets.add(index % 2 === 0 ? rows(5_000) : rows(5_000).toReversed()),
      )
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)))
    expect(await used()).toEqual({ 'budget a': 20, 'budget b': 40 })
    await store().budgets.removeExpired(4_999)
    expect(await used()).toEqual({ 'budget a': 20, 'budget b': 40 })
    await store().budgets.removeExpired(5_000)
    expect(await used()).toEqual({})
  })
}
