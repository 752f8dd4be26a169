import { sql } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

export type BudgetRow = Schema['budgets']

/** Queries of the table `budgets`: what was used in a window of time; keys are digests. */
export function budgetQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  return {
    /** Adds what was used since, each key at most once. Several processes add to the same ones. */
    async add(used: readonly BudgetRow[]): Promise<void> {
      // Who locks rows in one order stands in nobody's way for long.
      const insertion = db.insertInto('budgets').values(used.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
      switch (upsert) {
        case 'on conflict':
          await insertion
            .onConflict((conflict) =>
              conflict
                .column('key')
                .doUpdateSet((eb) => ({ used: eb('budgets.used', '+', eb.ref('excluded.used')) })),
            )
            .execute()
          return
        case 'on duplicate key':
          await insertion
            .onDuplicateKeyUpdate((eb) => ({
              used: eb('used', '+', sql<number>`values(${sql.ref('used')})`),
            }))
            .execute()
      }
    },

    /** What all processes together have written down. */
    totals: (keys: readonly string[]): Promise<Pick<BudgetRow, 'key' | 'used'>[]> =>
      db.selectFrom('budgets').select(['key', 'used']).where('key', 'in', keys).execute(),

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('budgets').where('until', '<=', now).execute()
    },
  }
}
