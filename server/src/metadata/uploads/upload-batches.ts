import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasKeyIn, type FileKey } from '../files/file-key.ts'
import { noContent } from '../files/files.ts'
import { padded } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'

/** An upload that a batch will process, with the minimum number of rows of its files. */
export type DueUpload = Pick<UploadRecord, 'id' | 'fileCount'>

/** The position from which a scan of removed uploads continues. */
export type RemovedUpload = DueUpload & { readonly deletedAt: number }

type Id = Pick<UploadRecord, 'id'>

type LockedUpload = Pick<UploadRecord, 'id' | 'userId' | 'size' | 'deletedAt' | 'expireAt' | 'generation'>

/** Queries for batches of uploads, which are removed, blanked and purged together. */
export function uploadBatchQueries(db: Db, capabilities: Capabilities) {
  return {
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
        .select(['id', 'userId', 'size', 'deletedAt', 'expireAt', 'generation'])
        .where('id', 'in', padded(ids))
        .orderBy('id')
      return (capabilities.rowLocks ? rows.forUpdate() : rows).execute()
    },

    /** The files of these uploads. */
    files: (
      uploadIds: readonly string[],
    ): Promise<Pick<FileRecord, 'id' | 'uploadId' | 'status' | 'reserved'>[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'status', 'reserved'])
        .where('uploadId', 'in', padded(uploadIds))
        .execute(),

    /** → removed, for files whose uploads the caller has locked. */
    async removeFiles(files: readonly FileKey[]): Promise<void> {
      await db
        .updateTable('files')
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0, reserved: 0 })
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
        .set({ deletedAt: now, size: 0, ...(disown && unowned) })
        .where('id', 'in', padded(ids))
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
      await db.updateTable('uploads').set(unowned).where('id', 'in', padded(ids)).execute()
    },

    /** The first `limit` removed uploads after another whose bytes are deleted and whose data is not blanked yet. */
    erasable: async (after: RemovedUpload | undefined, limit: number): Promise<RemovedUpload[]> => {
      const { deletedAt, id } = after ?? { deletedAt: 0, id: '' }
      const rows = await db
        .selectFrom('uploads')
        .select(['id', 'fileCount', 'deletedAt'])
        .where('erasedAt', 'is', null)
        .where('deletedAt', 'is not', null)
        .where('deletedAt', '>=', deletedAt)
        .where((eb) => eb.or([eb('deletedAt', '>', deletedAt), eb('id', '>', id)]))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('files')
                .select('files.id')
                .whereRef('files.uploadId', '=', 'uploads.id')
                .where('files.status', '!=', 'deleted'),
            ),
          ),
        )
        .orderBy('deletedAt')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows as RemovedUpload[]
    },

    /**
     * Blanks the owner, the source address, the names and the description of uploads.
     * @param now ms
     * @returns the number of uploads that were not blank before
     */
    async erase(ids: readonly string[], now: number): Promise<number> {
      await db
        .updateTable('files')
        .set({ fileName: '', reference: null, ...noContent })
        .where('uploadId', 'in', padded(ids))
        .execute()
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ ...blank, erasedAt: now })
        .where('id', 'in', padded(ids))
        .where('erasedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /**
     * The first `limit` uploads that were blanked at a time or before.
     * @param until ms
     * @param from as for `expired`
     */
    purgeable: async (until: number, limit: number, from = 0) => {
      const rows = await db
        .selectFrom('uploads')
        .select(['id', 'fileCount', 'erasedAt'])
        .where('erasedAt', 'is not', null)
        .where('erasedAt', '<=', until)
        .where('erasedAt', '>=', from)
        .orderBy('erasedAt')
        .limit(limit)
        .execute()
      return rows
    },

    /**
     * Deletes the rows of uploads and of their files.
     * @returns the number of deleted uploads
     */
    async purge(ids: readonly string[]): Promise<number> {
      const keys = padded(ids)
      await db
        .deleteFrom('resumables')
        .where('fileId', 'in', (eb) => eb.selectFrom('files').select('id').where('uploadId', 'in', keys))
        .execute()
      await db.deleteFrom('files').where('uploadId', 'in', keys).execute()
      const { numDeletedRows } = await db
        .deleteFrom('uploads')
        .where('id', 'in', keys)
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}

const unowned = { userId: null, userToken: null } as const satisfies Partial<UploadRecord>

/** The columns of a blanked upload. */
const blank = {
  tokenHash: '',
  login: null,
  passwordHash: null,
  comments: '',
  address: '',
  ...unowned,
} as const satisfies Partial<UploadRecord>
