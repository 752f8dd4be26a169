import type { NotificationSettingsRecord } from '../../domain/notification-records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'

export type NotificationChanges = Partial<Omit<NotificationSettingsRecord, 'userId'>>

/** The settings of a user without a row. */
const initial = {
  emailEvents: '',
  verifiedEmail: null,
  language: '',
  listeningUntil: 0,
} as const satisfies Required<NotificationChanges>

/** Queries of the table `notificationSettings`. */
export function notificationSettingQueries(db: Db, { upsert }: Pick<Capabilities, 'upsert'>) {
  return {
    /** The settings of a user, or the initial ones. */
    async find(userId: string): Promise<NotificationSettingsRecord> {
      const row = await db
        .selectFrom('notificationSettings')
        .selectAll()
        .where('userId', '=', userId)
        .executeTakeFirst()
      return row ?? { userId, ...initial }
    },

    /** The settings of those of some users who have any. */
    ofUsers: (userIds: readonly string[]): Promise<NotificationSettingsRecord[]> =>
      db.selectFrom('notificationSettings').selectAll().where('userId', 'in', padKeys(userIds)).execute(),

    /** Changes some of the settings of a user. */
    async change(userId: string, changes: NotificationChanges): Promise<void> {
      const insertion = db.insertInto('notificationSettings').values({ userId, ...initial, ...changes })
      await (
        upsert === 'on conflict'
          ? insertion.onConflict((conflict) => conflict.column('userId').doUpdateSet(changes))
          : insertion.onDuplicateKeyUpdate(changes)
      ).execute()
    },
  }
}
