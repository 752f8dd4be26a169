import type { Capabilities } from '../dialects/dialect.ts'
import type { FileRecord, UploadRecord } from '../../domain/records.ts'
import { noContent } from '../files/files.ts'
import { padKeys } from '../query/padded-keys.ts'
import type { Db } from '../query/prepared.ts'
import { aliasQueries } from './aliases.ts'

/** An upload that a batch will process, with the minimum number of rows of its files. */
export type DueUpload = Pick<UploadRecord, 'id' | 'fileCount'>

type Removed = DueUpload & { readonly deletedAt: number }

/** A removed upload, from which a traversal of them can continue. */
export interface RemovedUpload extends Removed {
  /** Whether the bytes of a file are not deleted yet. */
  readonly hasBytes: boolean
}

/** Queries that blank removed uploads, and purge their rows at the end of the retention. */
export function retentionQueries(db: Db, capabilities: Pick<Capabilities, 'upsert'>) {
  const aliases = aliasQueries(db, capabilities)
  return {
    /**
     * The first `limit` removed uploads after another whose data is not blanked yet. Whether their bytes are deleted is not a
     * condition: to find only those, PostgreSQL and MySQL would sort and join all removed uploads for each batch.
     */
    findUnblanked: async (after: RemovedUpload | undefined, limit: number): Promise<RemovedUpload[]> => {
      const { deletedAt, id } = after ?? { deletedAt: 0, id: '' }
      const rows = await db
        .selectFrom('uploads')
        .select(['id', 'fileCount', 'deletedAt'])
        // For `exists`, PostgreSQL would read all files.
        .select((eb) =>
          eb
            .selectFrom('files')
            .select('files.id')
            .whereRef('files.uploadId', '=', 'uploads.id')
            .where('files.status', '!=', 'deleted')
            .limit(1)
            .as('stored'),
        )
        .where('erasedAt', 'is', null)
        .where('deletedAt', 'is not', null)
        .where('deletedAt', '>=', deletedAt)
        .where((eb) => eb.or([eb('deletedAt', '>', deletedAt), eb('id', '>', id)]))
        .orderBy('deletedAt')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ stored, ...row }) => ({ ...(row as Removed), hasBytes: stored !== null }))
    },

    /**
     * Blanks the owner, the source address, the names and the description of uploads, deletes their downloads and previews, and keeps
     * their aliases reserved for some time.
     * @param now ms
     * @returns the number of uploads that were not blank before
     */
    async blank(ids: readonly string[], now: number): Promise<number> {
      await db
        .updateTable('files')
        .set(blankFile)
        .where('uploadId', 'in', padKeys(ids))
        // Those that a batch has removed are blank already.
        .where((eb) =>
          eb.or([
            eb('fileName', '!=', ''),
            eb('reference', 'is not', null),
            eb('type', '!=', ''),
            eb('md5', '!=', ''),
          ]),
        )
        .execute()
      await db.deleteFrom('downloads').where('uploadId', 'in', padKeys(ids)).execute()
      await db.deleteFrom('previews').where('uploadId', 'in', padKeys(ids)).execute()
      await aliases.hold(ids, now)
      const { numUpdatedRows } = await db
        .updateTable('uploads')
        .set({ ...blankUpload, erasedAt: now })
        .where('id', 'in', padKeys(ids))
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
      const keys = padKeys(ids)
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

/** The columns of a blanked file. */
export const blankFile = {
  fileName: '',
  reference: null,
  ...noContent,
} as const satisfies Partial<FileRecord>

/** The columns of an upload without an owner. */
export const unowned = { userId: null, userToken: null } as const satisfies Partial<UploadRecord>

/** The columns of a blanked upload. */
const blankUpload = {
  tokenHash: '',
  login: null,
  passwordHash: null,
  comments: '',
  address: '',
  requestId: null,
  requestTokenHash: null,
  sender: null,
  placeUntil: null,
  ...unowned,
} as const satisfies Partial<UploadRecord>
