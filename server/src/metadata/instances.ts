import type { Db } from './query/prepared.ts'
import type { InstanceRow } from './query/schema.ts'

/** Queries of the table `instances`: which server processes are alive. */
export function instanceQueries(db: Db) {
  return {
    /** Writes a sign of life. */
    async seen({ id, ...sign }: InstanceRow): Promise<void> {
      const result = await db.updateTable('instances').set(sign).where('id', '=', id).executeTakeFirst()
      if (result.numUpdatedRows === 0n)
        await db
          .insertInto('instances')
          .values({ id, ...sign })
          .execute()
    },

    list: (): Promise<InstanceRow[]> => db.selectFrom('instances').selectAll().execute(),

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
