import type { Db } from './prepared.ts'

/** Queries of the table `instances`: which server processes are alive. */
export function instanceQueries(db: Db) {
  return {
    /** Writes a sign of life. @param url where the others reach it, or empty @param now ms */
    async seen({ id, url }: { readonly id: string; readonly url: string }, now: number): Promise<void> {
      const result = await db
        .updateTable('instances')
        .set({ seenAt: now, url })
        .where('id', '=', id)
        .executeTakeFirst()
      if (result.numUpdatedRows === 0n)
        await db.insertInto('instances').values({ id, url, seenAt: now }).execute()
    },

    /** An instance that gave a sign of life after a time, or null. */
    async find(
      id: string,
      aliveSince: number,
    ): Promise<{ readonly id: string; readonly url: string } | null> {
      const found = await db
        .selectFrom('instances')
        .select(['id', 'url'])
        .where('id', '=', id)
        .where('seenAt', '>', aliveSince)
        .executeTakeFirst()
      return found ?? null
    },

    async forget(id: string): Promise<void> {
      await db.deleteFrom('instances').where('id', '=', id).execute()
    },

    async forgetSilent(since: number): Promise<void> {
      await db.deleteFrom('instances').where('seenAt', '<=', since).execute()
    },
  }
}
