import { sql } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import type { Db } from '../query/prepared.ts'
import type { Schema } from '../query/schema.ts'

export type BudgetRow = Schema['budgets']

/** Queries of the table `budgets`: the usage of budgets in time windows. Keys are digests. */
export function budgetQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  return {
    /** Adds to the used amounts; each key occurs at most once in `used`. Several instances add to the same rows. */
    async add(used: readonly BudgetRow[]): Promise<void> {
      // Transactions that lock rows in the same order do not deadlock.
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

    /** The amounts that all instances together have added. */
    totals: (keys: readonly string[]): Promise<Pick<BudgetRow, 'key' | 'used'>[]> =>
      db.selectFrom('budgets').select(['key', 'used']).where('key', 'in', keys).execute(),

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('budgets').where('until', '<=', now).execute()
    },
  }
}
