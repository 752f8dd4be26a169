import type { Db } from '../query/prepared.ts'
import { countTotals } from './count-totals.ts'

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
