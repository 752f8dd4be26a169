import { sql } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

export type DailyStat = Schema['dailyFigures']

/** Queries of the table `dailyFigures`, which holds the daily stats. Days are in UTC, such as 2026-11-21. */
export function dailyStatQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>, lists: Db) {
  return {
    /** Adds to counters; each counter occurs at most once in `counted`. Several instances add to the same rows. */
    async add(counted: readonly DailyStat[]): Promise<void> {
      const insertion = db.insertInto('dailyFigures').values(inLockOrder(counted))
      switch (upsert) {
        case 'on conflict':
          await insertion
            .onConflict((conflict) =>
              conflict
                .columns(['day', 'name'])
                .doUpdateSet((eb) => ({ value: eb('dailyFigures.value', '+', eb.ref('excluded.value')) })),
            )
            .execute()
          return
        case 'on duplicate key':
          await insertion
            .onDuplicateKeyUpdate((eb) => ({
              value: eb('value', '+', sql<number>`values(${sql.ref('value')})`),
            }))
            .execute()
      }
    },

    /** Some counters of the days from `from` to `to`, both included. */
    ofDays: (from: string, to: string, names: readonly string[]): Promise<DailyStat[]> =>
      lists
        .selectFrom('dailyFigures')
        .selectAll()
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('name', 'in', names)
        .execute(),

    /** The sums over these days of all other counters. */
    async sums(from: string, to: string, except: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await lists
        .selectFrom('dailyFigures')
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('name', 'not in', except)
        .groupBy('name')
        .select((eb) => ['name', eb.fn.sum<string | number>('value').as('total')])
        .execute()
      return new Map(rows.map(({ name, total }) => [name, Number(total)]))
    },

    async removeBefore(day: string): Promise<void> {
      await db.deleteFrom('dailyFigures').where('day', '<', day).execute()
    },
  }
}

/** Transactions that lock rows in the same order do not deadlock. */
const inLockOrder = (counted: readonly DailyStat[]) =>
  counted.toSorted((a, b) => (a.day + a.name < b.day + b.name ? -1 : 1))
