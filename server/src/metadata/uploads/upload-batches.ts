import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasKeyIn, type FileKey } from '../files/file-key.ts'
import { noContent } from '../files/files.ts'
import { padded } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'

/** An upload that is due for something, and how much work it is: rows of files that it has at least. */
export type DueUpload = Pick<UploadRecord, 'id' | 'fileCount'>

/** The position from which a scan of removed uploads continues. */
export type RemovedUpload = DueUpload & { readonly deletedAt: number }

type Id = Pick<UploadRecord, 'id'>

type LockedUpload = Pick<UploadRecord, 'id' | 'userId' | 'size' | 'deletedAt' | 'expireAt' | 'generation'>

/** Queries for many uploads at once: what removes, blanks and purges them in batches. */
export function uploadBatchQueries(db: Db, capabilities: Capabilities) {
  return {
    /**
     * Uploads of a user below a generation that are not removed, the oldest `limit`.
     * @param from the date of one that was there before, as for `expired` (uploads.ts)
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
     * Keeps other transactions from changing some uploads until this one ends. Only the keys select rows: MariaDB
     * locks every row that another condition makes it read. In the order of the keys, so that two transactions do not
     * wait for each other.
     */
    lock: (ids: readonly string[]): Promise<LockedUpload[]> => {
      const rows = db
        .selectFrom('uploads')
        .select(['id', 'userId', 'size', 'deletedAt', 'expireAt', 'generation'])
        .where('id', 'in', padded(ids))
        .orderBy('id')
      return (capabilities.rowLocks ? rows.forUpdate() : rows).execute()
    },

    /** Files of some uploads. */
    files: (
      uploadIds: readonly string[],
    ): Promise<Pick<FileRecord, 'id' | 'uploadId' | 'status' | 'reserved'>[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'status', 'reserved'])
        .where('uploadId', 'in', padded(uploadIds))
        .execute(),

    /** → removed, for files of which the caller holds the uploads. */
    async removeFiles(files: readonly FileKey[]): Promise<void> {
      await db
        .updateTable('files')
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0, reserved: 0 })
        .where(hasKeyIn(capabilities, files))
        .execute()
    },

    /**
     * Marks uploads removed, with nothing stored.
     * @param disown whether they lose their owner as well
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

    /** Uploads that have expired or that a mass removal hides, and files to delete with them: an estimate of the work of a cleanup. */
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

    /** Uploads that a user owns, removed ones too, the first `limit`. */
    of: (userId: string, limit: number): Promise<Id[]> =>
      db.selectFrom('uploads').select('id').where('userId', '=', userId).limit(limit).execute(),

    /** Removed uploads that a user still owns, the first `limit`. */
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

    /** Takes the owner away from removed uploads. */
    async disown(ids: readonly string[]): Promise<void> {
      await db.updateTable('uploads').set(unowned).where('id', 'in', padded(ids)).execute()
    },

    /** Removed uploads whose bytes are deleted and whose data is not blanked yet, the first `limit` after one. */
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
     * Blanks all that says whose uploads they were, where they came from and what was in them.
     * @param now ms
     * @returns how many were not blank before
     */
    async erase(ids: readonly string[], now: number): Promise<number> {
      await db
        .updateTable('files')
        .set({ fileName: '', reference: null, ...noContent })
        .where('uploadId', 'in', padded(ids))
        .execute()
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ ...nobodys, erasedAt: now })
        .where('id', 'in', padded(ids))
        .where('erasedAt', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },

    /**
     * Uploads that were blanked at a time or before, the first `limit`.
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
     * @returns how many uploads there were
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

/** What a removed upload has left once its bytes are deleted. */
const nobodys = {
  tokenHash: '',
  login: null,
  passwordHash: null,
  comments: '',
  address: '',
  ...unowned,
} as const satisfies Partial<UploadRecord>
