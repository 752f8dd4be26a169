import type { ExpressionBuilder } from 'kysely'
import type { Db } from '../query/prepared.ts'
import { countTotals } from './count-totals.ts'
import type { Schema } from '../query/schema.ts'

const sizeOnceUploaded = (file: ExpressionBuilder<Schema, 'files'>) =>
  file.case().when('files.status', '=', 'uploaded').then(file.ref('files.fileSize')).else(file.lit(0)).end()

/** Computes the sizes of new uploads, which have none yet, from their files. */
export async function countSizes(db: Db): Promise<void> {
  await db
    .updateTable('uploads')
    .set((eb) => ({
      size: eb.fn.coalesce(
        eb
          .selectFrom('files')
          // With the status as a condition, SQLite would read all uploaded files for each upload.
          .select((file) => file.fn.sum<number>(sizeOnceUploaded(file)).as('size'))
          .whereRef('files.uploadId', '=', 'uploads.id'),
        eb.lit(0),
      ),
    }))
    .where('deletedAt', 'is', null)
    // The others are correct, and a merge into a large database would rewrite all of them.
    .where('size', '=', 0)
    .execute()
}

/** Recomputes the counters and the used bytes of users from the uploads. */
export async function countOwners(db: Db): Promise<void> {
  await countTotals(db)
  await db
    .updateTable('users')
    .set((eb) => ({
      usedSize: eb(
        eb.fn.coalesce(
          eb
            .selectFrom('uploads')
            .select((upload) => upload.fn.sum<number>('uploads.size').as('size'))
            .whereRef('uploads.userId', '=', 'users.id')
            .where('uploads.deletedAt', 'is', null),
          eb.lit(0),
        ),
        '+',
        eb.fn.coalesce(
          eb
            .selectFrom('files')
            .innerJoin('uploads', 'uploads.id', 'files.uploadId')
            .select((file) => file.fn.sum<number>('files.reserved').as('reserved'))
            .whereRef('uploads.userId', '=', 'users.id'),
          eb.lit(0),
        ),
      ),
    }))
    .execute()
}
