import type { Db } from './query/prepared.ts'
import type { InstanceRow } from './query/schema.ts'

/** Queries of the table `instances`: the heartbeats of the instances. */
export function instanceQueries(db: Db) {
  return {
    async recordHeartbeat({ id, ...heartbeat }: InstanceRow): Promise<void> {
      const result = await db.updateTable('instances').set(heartbeat).where('id', '=', id).executeTakeFirst()
      if (result.numUpdatedRows === 0n)
        await db
          .insertInto('instances')
          .values({ id, ...heartbeat })
          .execute()
    },

    list: (): Promise<InstanceRow[]> => db.selectFrom('instances').selectAll().execute(),

    /** An instance with a heartbeat after a time, or null. */
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

    async remove(id: string): Promise<void> {
      await db.deleteFrom('instances').where('id', '=', id).execute()
    },

    async removeExpired(since: number): Promise<void> {
      await db.deleteFrom('instances').where('seenAt', '<=', since).execute()
    },
  }
}
