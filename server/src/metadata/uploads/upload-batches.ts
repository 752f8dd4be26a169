import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasKeyIn, type FileKey } from '../files/file-key.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import { blankFile, retentionQueries, unowned, type DueUpload } from './upload-retention.ts'

type Id = Pick<UploadRecord, 'id'>

type LockedUpload = Pick<
  UploadRecord,
  'id' | 'userId' | 'requestId' | 'size' | 'deletedAt' | 'expireAt' | 'generation' | 'placeUntil'
>

/** Where an upload came from, and whose it is. */
export type UploadSource = Pick<
  UploadRecord,
  'id' | 'userId' | 'address' | 'fileCount' | 'createdAt' | 'size'
>

/** Queries for batches of uploads, which are removed, blanked and purged together. */
export function uploadBatchQueries(db: Db, capabilities: Capabilities) {
  return {
    ...retentionQueries(db, capabilities),

    /**
     * The oldest `limit` uploads of a user below a generation that are not removed.
     * @param from the date of an earlier result, as for `expired` (uploads.ts)
     */
    ofGenerations: (
      userId: string,
      below: number,
      limit: number,
      from = 0,
    ): Promise<(DueUpload & Pick<UploadRecord, 'createdAt'>)[]> =>
      db
        .selectFrom('uploads')
        .select(['id', 'fileCount', 'createdAt'])
        .where('userId', '=', userId)
        .where('deletedAt', 'is', null)
        .where('createdAt', '>=', from)
        .where('generation', '<', below)
        .orderBy('createdAt')
        .limit(limit)
        .execute(),

    /**
     * Locks uploads until the transaction ends. The keys are the only condition, because MariaDB locks every row that it reads
     * for another one. Locks in the order of the keys, so that two transactions do not deadlock.
     */
    lock: (ids: readonly string[]): Promise<LockedUpload[]> => {
      const rows = db
        .selectFrom('uploads')
        .select(['id', 'userId', 'requestId', 'size', 'deletedAt', 'expireAt', 'generation', 'placeUntil'])
        .where('id', 'in', padKeys(ids))
        .orderBy('id')
      return (capabilities.rowLocks ? rows.forUpdate() : rows).execute()
    },

    /** The first `limit` uploads after an id that are not removed, in the order of their ids. */
    sources: (after: string, limit: number): Promise<UploadSource[]> =>
      db
        .selectFrom('uploads')
        .select(['id', 'userId', 'address', 'fileCount', 'createdAt', 'size'])
        .where('id', '>', after)
        .where('deletedAt', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute(),

    /** The files of these uploads. */
    files: (
      uploadIds: readonly string[],
    ): Promise<Pick<FileRecord, 'id' | 'uploadId' | 'status' | 'uploadedAt' | 'reserved'>[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'status', 'uploadedAt', 'reserved'])
        .where('uploadId', 'in', padKeys(uploadIds))
        .execute(),

    /**
     * → removed, for files of uploads that the caller has locked and removes. Blanks them in the same statement, because a
     * second update of each row would cost as much again.
     */
    async removeFiles(files: readonly FileKey[]): Promise<void> {
      await db
        .updateTable('files')
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0, reserved: 0, ...blankFile })
        .where(hasKeyIn(capabilities, files))
        .execute()
    },

    /**
     * Marks uploads as removed, and sets their stored bytes to 0.
     * @param disown whether they also lose their owner
     */
    async remove(
      ids: readonly string[],
      { now, disown }: { readonly now: number; readonly disown: boolean },
    ): Promise<void> {
      await db
        .updateTable('uploads')
        .set({ deletedAt: now, size: 0, placeUntil: null, ...(disown && unowned) })
        .where('id', 'in', padKeys(ids))
        .execute()
    },

    /** The estimated work of a cleanup: expired uploads, those that a mass removal hides, and files to delete. */
    async due(now: number): Promise<number> {
      const expired = await db
        .selectFrom('uploads')
        .select((eb) => [
          eb.fn.countAll().as('uploads'),
          eb.fn.sum<string | number | null>('fileCount').as('files'),
        ])
        .where('deletedAt', 'is', null)
        .where('expireAt', '<=', now)
        .executeTakeFirstOrThrow()
      const removed = await db
        .selectFrom('files')
        .select((eb) => eb.fn.countAll().as('files'))
        .where('status', '=', 'removed')
        .executeTakeFirstOrThrow()
      const hidden = await db
        .selectFrom('removals')
        .select((eb) =>
          (['uploads', 'files'] as const).map((name) => eb.fn.sum<string | number | null>(name).as(name)),
        )
        .executeTakeFirstOrThrow()
      return [expired.uploads, expired.files, removed.files, hidden.uploads, hidden.files].reduce<number>(
        (sum, count) => sum + Number(count ?? 0),
        0,
      )
    },

    /** The first `limit` uploads of a user, including removed ones. */
    of: (userId: string, limit: number): Promise<Id[]> =>
      db.selectFrom('uploads').select('id').where('userId', '=', userId).limit(limit).execute(),

    /** The first `limit` removed uploads that a user still owns. */
    removedOf: async (userId: string, limit: number): Promise<string[]> => {
      const rows = await db
        .selectFrom('uploads')
        .select('id')
        .where('userId', '=', userId)
        .where('deletedAt', 'is not', null)
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id)
    },

    /** Clears the owner of removed uploads. */
    async disown(ids: readonly string[]): Promise<void> {
      await db.updateTable('uploads').set(unowned).where('id', 'in', padKeys(ids)).execute()
    },
  }
}
