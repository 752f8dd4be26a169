import type { NotificationSettingsRecord, WebhookRecord } from '../domain/notification-records.ts'
import type {
  AliasRecord,
  DownloadRecord,
  FileRecord,
  PreviewRecord,
  RequestRecord,
  TokenRecord,
  UploadRecord,
  UserRecord,
} from '../domain/records.ts'
import { filesAfter } from './files/bulk-files.ts'
import { settingsAfter, webhooksAfter } from './notifications/bulk-rows.ts'
import type { Db } from './query/prepared.ts'
import type { DailyStat } from './stats/daily-stats.ts'
import { aliasesAfter } from './uploads/bulk-aliases.ts'
import { downloadsAfter } from './uploads/bulk-downloads.ts'
import { previewsAfter } from './uploads/previews.ts'
import { removalTime } from './uploads/removals.ts'
import { uploadColumns } from './uploads/uploads.ts'

/** Reads `limit` rows of a table after `last`, in the order of its keys. */
export type RowsAfter<Row> = (last: Row | undefined, limit: number) => Promise<Row[]>

export interface TableReads {
  readonly users: RowsAfter<UserRecord>
  readonly tokens: RowsAfter<TokenRecord>
  readonly requests: RowsAfter<RequestRecord>
  readonly uploads: RowsAfter<UploadRecord>
  /** In the order of their uploads. */
  readonly files: RowsAfter<FileRecord>
  readonly previews: RowsAfter<PreviewRecord>
  readonly aliases: RowsAfter<AliasRecord>
  readonly downloads: RowsAfter<DownloadRecord>
  readonly dailyStats: RowsAfter<DailyStat>
  readonly webhooks: RowsAfter<WebhookRecord>
  readonly notificationSettings: RowsAfter<NotificationSettingsRecord>
}

/** The tables that an export contains, in the order of their keys. */
export function tableReads(db: Db): TableReads {
  return {
    users: (last, limit) => {
      const rows = db
        .selectFrom('users')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('id')
        .limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    tokens: (last, limit) => {
      const rows = db.selectFrom('tokens').selectAll().orderBy('id').limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    requests: (last, limit) => {
      const rows = db
        .selectFrom('requests')
        .selectAll()
        .where('removedAt', 'is', null)
        .orderBy('id')
        .limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    uploads: (last, limit) => {
      const rows = uploadsAsSeen(db).where('erasedAt', 'is', null).orderBy('id').limit(limit)
      return (last === undefined ? rows : rows.where('id', '>', last.id)).execute()
    },
    files: (last, limit) => filesAfter(db, last, limit).execute(),
    previews: (last, limit) => previewsAfter(db, last, limit).execute(),
    aliases: (last, limit) => aliasesAfter(db, last, limit).execute(),
    downloads: (last, limit) => downloadsAfter(db, last, limit).execute(),
    dailyStats: (last, limit) => dailyStatsAfter(db, last, limit).execute(),
    webhooks: (last, limit) => webhooksAfter(db, last, limit).execute(),
    notificationSettings: (last, limit) => settingsAfter(db, last, limit).execute(),
  }
}

/** Uploads as readers see them: a mass removal counts before it has changed their rows, and a deleted owner is null. */
const uploadsAsSeen = (db: Db) =>
  db
    .selectFrom('uploads')
    .select(otherUploadColumns)
    .select((eb) => [
      removalTime(eb).as('deletedAt'),
      eb
        .selectFrom('users')
        .select('users.id')
        .whereRef('users.id', '=', 'uploads.userId')
        .where('users.removedAt', 'is', null)
        .as('userId'),
    ])

const otherUploadColumns = uploadColumns.filter((name) => name !== 'userId')

function dailyStatsAfter(db: Db, last: DailyStat | undefined, limit: number) {
  const rows = db.selectFrom('dailyFigures').selectAll().orderBy('day').orderBy('name').limit(limit)
  if (last === undefined) return rows
  const { day, name } = last
  return rows.where('day', '>=', day).where((eb) => eb.or([eb('day', '>', day), eb('name', '>', name)]))
}
