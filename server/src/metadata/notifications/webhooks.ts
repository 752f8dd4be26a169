import type { WebhookRecord } from '../../domain/notification-records.ts'
import { padKeys } from '../query/padded-keys.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** The columns of a webhook that change. */
export type WebhookChanges = Partial<Omit<WebhookRecord, 'id' | 'userId' | 'createdAt'>>

/** Queries of the table `webhooks`. */
export function webhookQueries(db: Db) {
  return {
    async insert(row: WebhookRecord): Promise<void> {
      await db.insertInto('webhooks').values(row).execute()
    },

    /** The first `limit` webhooks of a user, the oldest first. */
    list: (userId: string, limit: number): Promise<WebhookRecord[]> =>
      db
        .selectFrom('webhooks')
        .selectAll()
        .where('userId', '=', userId)
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    find: (userId: string, id: string): Promise<WebhookRecord | undefined> =>
      db
        .selectFrom('webhooks')
        .selectAll()
        .where('id', '=', id)
        .where('userId', '=', userId)
        .executeTakeFirst(),

    /** The webhooks with these ids. */
    withIds: (ids: readonly string[]): Promise<WebhookRecord[]> =>
      db.selectFrom('webhooks').selectAll().where('id', 'in', padKeys(ids)).execute(),

    /** Which webhooks of these users are enabled, and what they receive. */
    enabledOf: (userIds: readonly string[]): Promise<Pick<WebhookRecord, 'id' | 'userId' | 'events'>[]> =>
      db
        .selectFrom('webhooks')
        .select(['id', 'userId', 'events'])
        .where('userId', 'in', padKeys(userIds))
        .where('enabled', '=', 1)
        .execute(),

    /** @returns false when the user has no such webhook */
    async update(userId: string, id: string, changes: WebhookChanges): Promise<boolean> {
      const query = db.updateTable('webhooks').set(changes).where('id', '=', id).where('userId', '=', userId)
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Stops new events of a webhook whose receiver is gone. */
    async disable(id: string): Promise<void> {
      await db.updateTable('webhooks').set({ enabled: 0 }).where('id', '=', id).execute()
    },

    /**
     * Removes a webhook with its deliveries.
     * @returns false when the user has no such webhook
     */
    async remove(userId: string, id: string): Promise<boolean> {
      const query = db.deleteFrom('webhooks').where('id', '=', id).where('userId', '=', userId)
      if (!hasChangedRows(await db.executeQuery(query))) return false
      await db.deleteFrom('deliveries').where('target', '=', id).execute()
      return true
    },
  }
}
