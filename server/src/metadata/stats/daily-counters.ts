import { sql } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

export type DailyCounter = Schema['dailyFigures']

/** Queries of the table `dailyFigures`. Days are in UTC, such as 2026-11-21, and sort as texts. */
export function dailyCounterQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>, lists: Db) {
  return {
    /** Adds to figures what has been counted since, each at most once. Several processes add to the same ones. */
    async add(counted: readonly DailyCounter[]): Promise<void> {
      const insertion = db.insertInto('dailyFigures').values(inOneOrder(counted))
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

    /** Some figures of the days from one to another, those included. */
    ofDays: (from: string, to: string, names: readonly string[]): Promise<DailyCounter[]> =>
      lists
        .selectFrom('dailyFigures')
        .selectAll()
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('name', 'in', names)
        .execute(),

    /** All other figures of these days, each as the sum of them. */
    async sums(from: string, to: string, but: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await lists
        .selectFrom('dailyFigures')
        .where('day', '>=', from)
        .where('day', '<=', to)
        .where('name', 'not in', but)
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

/** Who locks rows in one order stands in nobody's way for long. */
const inOneOrder = (counted: readonly DailyCounter[]) =>
  counted.toSorted((a, b) => (a.day + a.name < b.day + b.name ? -1 : 1))
