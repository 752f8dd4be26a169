import type { PushSubscriptionRecord } from '../../domain/notification-records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padded } from '../query/padded-keys.ts'
import { changed, type Db } from '../query/prepared.ts'

/** Queries of the table `pushSubscriptions`. */
export function pushSubscriptionQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  const ofUser = (userId: string) => db.selectFrom('pushSubscriptions').where('userId', '=', userId)
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
      ofUser(userId).selectAll().orderBy('createdAt', 'desc').limit(limit).execute(),

    find: (id: string): Promise<PushSubscriptionRecord | undefined> =>
      db.selectFrom('pushSubscriptions').selectAll().where('id', '=', id).executeTakeFirst(),

    /** The subscriptions of some users, and what they receive. */
    ofUsers: (
      userIds: readonly string[],
    ): Promise<Pick<PushSubscriptionRecord, 'id' | 'userId' | 'events'>[]> =>
      db
        .selectFrom('pushSubscriptions')
        .select(['id', 'userId', 'events'])
        .where('userId', 'in', padded(userIds))
        .execute(),

    /**
     * Removes a subscription with its messages.
     * @returns false when the user has no such subscription
     */
    async remove(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('pushSubscriptions').where('id', '=', id).where('userId', '=', userId)
      if (!changed(await db.executeQuery(query))) return false
      await db.deleteFrom('deliveries').where('target', '=', id).execute()
      return true
    },

    /** Removes all subscriptions of a user but the newest. */
    async removeOldest(userId: string, keep: number): Promise<void> {
      const kept = await ofUser(userId)
        .select(['createdAt', 'id'])
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .offset(keep - 1)
        .limit(1)
        .executeTakeFirst()
      if (kept === undefined) return
      await db
        .deleteFrom('pushSubscriptions')
        .where('userId', '=', userId)
        .where((eb) =>
          eb.or([
            eb('createdAt', '<', kept.createdAt),
            eb.and([eb('createdAt', '=', kept.createdAt), eb('id', '<', kept.id)]),
          ]),
        )
        .execute()
    },
  }
}
