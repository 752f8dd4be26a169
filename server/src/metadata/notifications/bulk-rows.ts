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
