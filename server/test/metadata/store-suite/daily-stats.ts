import { expect, test } from 'vitest'
import type { MetadataStore } from '../../../src/metadata/store.ts'

/** Daily stats, to which several processes add. */
export function dailySuite(store: () => MetadataStore): void {
  const counters = () => store().dailyStats
  const readDay = async (day: string) =>
    Object.fromEntries(
      (await counters().ofDays(day, day, ['a', 'b'])).map(({ name, value }) => [name, value]),
    )

  test('the daily stats of several processes are added up in any order', async () => {
    const day = '2026-01-01'
    const rows = ['a', 'b'].map((name, index) => ({ day, name, value: index + 1 }))
    const add = (index: number) =>
      store().transaction((transaction) =>
        transaction.dailyStats.add(index % 2 === 0 ? rows : rows.toReversed()),
      )
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)))
    expect(await readDay(day)).toEqual({ a: 20, b: 40 })
  })

  test('a counter is exact up to the largest safe integer', async () => {
    const day = '2026-01-02'
    await counters().add([{ day, name: 'a', value: Number.MAX_SAFE_INTEGER - 1 }])
    await counters().add([{ day, name: 'a', value: 1 }])
    expect(await readDay(day)).toEqual({ a: Number.MAX_SAFE_INTEGER })
  })

  test('some stats are listed by day and others as sums, within the given days', async () => {
    const days = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']
    await counters().add(days.flatMap((day) => ['a', 'x', 'y'].map((name) => ({ day, name, value: 5 }))))
    const range = ['2026-02-28', '2026-03-01'] as const
    const rows = await counters().ofDays(...range, ['a', 'b'])
    expect(rows.map(({ day, value }) => [day, value]).sort()).toEqual(range.map((day) => [day, 5]))
    expect(Object.fromEntries(await counters().sums(...range, ['a', 'b']))).toEqual({ x: 10, y: 10 })
  })

  test('only days before the given one are removed', async () => {
    const days = ['2020-12-30', '2020-12-31', '2021-01-01']
    await counters().add(days.map((day) => ({ day, name: 'a', value: 1 })))
    await counters().removeBefore('2020-12-31')
    const left = await counters().ofDays('2020-01-01', '2021-12-31', ['a'])
    expect(left.map(({ day }) => day).sort()).toEqual(['2020-12-31', '2021-01-01'])
  })
}
