import type { PushSubscriptionRecord } from '../../domain/notification-records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'
import { removeAllButNewest } from '../query/remove-all-but-newest.ts'

/** Queries of the table `pushSubscriptions`. */
export function pushSubscriptionQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  return {
    /** Inserts a subscription, or replaces the one with its id. */
    async put({ id, ...row }: PushSubscriptionRecord): Promise<void> {
      const insertion = db.insertInto('pushSubscriptions').values({ id, ...row })
      await (
        upsert === 'on conflict'
          ? insertion.onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          : insertion.onDuplicateKeyUpdate(row)
      ).execute()
    },

    /** The first `limit` subscriptions of a user, the newest first. */
    list: (userId: string, limit: number): Promise<PushSubscriptionRecord[]> =>
      db
        .selectFrom('pushSubscriptions')
        .selectAll()
        .where('userId', '=', userId)
        .orderBy('createdAt', 'desc')
        .limit(limit)
        .execute(),

    find: (id: string): Promise<PushSubscriptionRecord | undefined> =>
      db.selectFrom('pushSubscriptions').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The subscriptions of some users, and what they receive. */
    ofUsers: (
      userIds: readonly string[],
    ): Promise<Pick<PushSubscriptionRecord, 'id' | 'userId' | 'events'>[]> =>
      db
        .selectFrom('pushSubscriptions')
        .select(['id', 'userId', 'events'])
        .where('userId', 'in', padKeys(userIds))
        .execute(),

    /**
     * Removes a subscription with its messages.
     * @returns false when the user has no such subscription
     */
    async remove(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('pushSubscriptions').where('id', '=', id).where('userId', '=', userId)
      if (!hasChangedRows(await db.executeQuery(query))) return false
      await db.deleteFrom('deliveries').where('target', '=', id).execute()
      return true
    },

    /** Removes all subscriptions of a user but the newest. */
    removeOldest: (userId: string, keep: number): Promise<void> =>
      removeAllButNewest(db, 'pushSubscriptions', userId, keep),
  }
}
