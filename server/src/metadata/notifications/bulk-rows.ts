import type { NotificationSettingsRecord, WebhookRecord } from '../../domain/notification-records.ts'
import type { Db } from '../query/prepared.ts'

/** The first `limit` webhooks after one, in the order of their ids. Those of users who are being deleted are left out. */
export function webhooksAfter(db: Db, last: Pick<WebhookRecord, 'id'> | undefined, limit: number) {
  const rows = db
    .selectFrom('webhooks')
    .innerJoin('users', 'users.id', 'webhooks.userId')
    .selectAll('webhooks')
    .where('users.removedAt', 'is', null)
    .orderBy('webhooks.id')
    .limit(limit)
  return last === undefined ? rows : rows.where('webhooks.id', '>', last.id)
}

/** The numbers of webhooks of those of some users that have any. */
export async function webhookCounts(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('webhooks')
    .select((eb) => ['userId', eb.fn.countAll<string | number>().as('count')])
    .where('userId', 'in', userIds)
    .groupBy('userId')
    .execute()
  return new Map(rows.map(({ userId, count }) => [userId, Number(count)]))
}

/** The first `limit` settings after those of a user, in the order of the ids of their users. */
export function settingsAfter(
  db: Db,
  last: Pick<NotificationSettingsRecord, 'userId'> | undefined,
  limit: number,
) {
  const rows = db
    .selectFrom('notificationSettings')
    .innerJoin('users', 'users.id', 'notificationSettings.userId')
    .selectAll('notificationSettings')
    .where('users.removedAt', 'is', null)
    .orderBy('notificationSettings.userId')
    .limit(limit)
  return last === undefined ? rows : rows.where('notificationSettings.userId', '>', last.userId)
}

/** Which of some users have settings. */
export async function usersWithSettings(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = db.selectFrom('notificationSettings').select('userId').where('userId', 'in', userIds)
  return new Set((await rows.execute()).map(({ userId }) => userId))
}
