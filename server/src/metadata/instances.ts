import type { Db } from './prepared.ts'

/** Queries of the table `instances`: which server processes are alive. */
export function instanceQueries(db: Db) {
  return {
    /** Writes a sign of life. @param now ms */
    async seen(id: string, now: number): Promise<void> {
      const result = await db
        .updateTable('instances')
        .set({ seenAt: now })
        .where('id', '=', id)
        .executeTakeFirst()
      if (result.numUpdatedRows === 0n) await db.insertInto('instances').values({ id, seenAt: now }).execute()
    },

    async forget(id: string): Promise<void> {
      await db.deleteFrom('instances').where('id', '=', id).execute()
    },

    async forgetSilent(since: number): Promise<void> {
      await db.deleteFrom('instances').where('seenAt', '<=', since).execute()
    },
  }
}
