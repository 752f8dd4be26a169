import type { Capabilities } from '../dialects/dialect.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** Queries of the table `attempts`, which counts attempts in time windows. */
export function attemptQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  const at = (key: string) => db.updateTable('attempts').where('key', '=', key)
  return {
    /**
     * Counts an attempt in a current window.
     * @param amount how much the attempt counts
     * @returns false when there is no current window, or it would have more than `max` attempts
     */
    async increment(key: string, max: number, now: number, amount = 1): Promise<boolean> {
      const query = at(key)
        .where('until', '>', now)
        .where('count', '<=', max - amount)
        .set((eb) => ({ count: eb('count', '+', amount) }))
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Replaces an expired window by a new one with one attempt. */
    async restartWindow(key: string, now: number, until: number, amount = 1): Promise<boolean> {
      return hasChangedRows(
        await db.executeQuery(at(key).where('until', '<=', now).set({ count: amount, until })),
      )
    },

    /**
     * Starts the first window of a key.
     * @returns false when the key has one already
     */
    async startWindow(key: string, until: number, amount = 1): Promise<boolean> {
      const insertion = db.insertInto('attempts').values({ key, count: amount, until })
      // Not by the error of a second row: until it is looked up, the first one may have been removed.
      return hasChangedRows(
        await db.executeQuery(
          upsert === 'on conflict'
            ? insertion.onConflict((conflict) => conflict.column('key').doNothing())
            : insertion.ignore(),
        ),
      )
    },

    /** The end of a window that has `max` attempts. */
    async exhaustedUntil(key: string, max: number): Promise<number | undefined> {
      const row = await db
        .selectFrom('attempts')
        .select('until')
        .where('key', '=', key)
        .where('count', '>=', max)
        .executeTakeFirst()
      return row?.until
    },

    /** Subtracts one attempt. */
    async decrement(key: string): Promise<void> {
      await at(key)
        .where('count', '>', 0)
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .execute()
    },

    async remove(key: string): Promise<void> {
      await db.deleteFrom('attempts').where('key', '=', key).execute()
    },

    async removeExpired(now: number): Promise<void> {
      await db.deleteFrom('attempts').where('until', '<=', now).execute()
    },
  }
}
