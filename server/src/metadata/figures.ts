import type { ServerStats, UserStats } from '@svc/contract'
import type { Db } from './prepared.ts'

/** Counts for statistics: what is stored now. Files that are missing, on their way or removed do not count. */
export function figureQueries(db: Db) {
  return {
    async ofUser(userId: string): Promise<UserStats> {
      const { uploads, totalSize } = await db
        .selectFrom('uploads')
        .where('userId', '=', userId)
        .where('deletedAt', 'is', null)
        .select((eb) => [
          eb.fn.countAll().as('uploads'),
          eb.fn.sum<string | number | null>('size').as('totalSize'),
        ])
        .executeTakeFirstOrThrow()
      // The status is not a condition: SQLite would look up all files of it, of everybody.
      const { files } = await db
        .selectFrom('uploads')
        .innerJoin('files', 'files.uploadId', 'uploads.id')
        .where('uploads.userId', '=', userId)
        .where('uploads.deletedAt', 'is', null)
        .select((eb) =>
          eb.fn
            .sum<string | number | null>(
              eb.case().when('files.status', '=', 'uploaded').then(eb.lit(1)).else(eb.lit(0)).end(),
            )
            .as('files'),
        )
        .executeTakeFirstOrThrow()
      return { uploads: Number(uploads), files: Number(files ?? 0), totalSize: Number(totalSize ?? 0) }
    },

    async ofServer(): Promise<ServerStats> {
      const living = db.selectFrom('uploads').where('deletedAt', 'is', null)
      const ofUploads = await living
        .select((eb) => [
          eb.fn.countAll().as('uploads'),
          eb.fn.count('userId').as('owned'),
          eb.fn.sum<string | number | null>('size').as('totalSize'),
        ])
        .executeTakeFirstOrThrow()
      const anonymous = await living
        .where('userId', 'is', null)
        .select((eb) => eb.fn.sum<string | number | null>('size').as('totalSize'))
        .executeTakeFirstOrThrow()
      const { files } = await db
        .selectFrom('files')
        .where('status', '=', 'uploaded')
        .select((eb) => eb.fn.countAll().as('files'))
        .executeTakeFirstOrThrow()
      const { users } = await db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll().as('users'))
        .executeTakeFirstOrThrow()
      return {
        users: Number(users),
        uploads: Number(ofUploads.uploads),
        anonymousUploads: Number(ofUploads.uploads) - Number(ofUploads.owned),
        files: Number(files),
        totalSize: Number(ofUploads.totalSize ?? 0),
        anonymousTotalSize: Number(anonymous.totalSize ?? 0),
      }
    },
  }
}
