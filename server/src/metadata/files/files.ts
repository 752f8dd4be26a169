import { removable } from '../../domain/files/file-status.ts'
import { claimQueries } from './claims.ts'
import { fileListQueries } from './file-lists.ts'
import { hasStatus, isStarted, updateFile, type FileKey } from './file-key.ts'
import { padKeys } from '../query/padded-keys.ts'
import { abandonedFileQueries } from './abandoned-files.ts'
import { manifestQueries } from './manifests.ts'
import { reservedQuotaQueries } from './reserved-quota.ts'
import { streamedFileQueries } from './streamed-files.ts'
import { preparedQuery, hasChangedRows, type Db } from '../query/prepared.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import type { FileRecord } from '../../domain/records.ts'

/** The columns of a file that are known when all its bytes are stored. */
export type StoredFile = Pick<FileRecord, 'fileSize' | 'type' | 'md5' | 'crc32' | 'uploadedAt'>

const find = preparedQuery<FileKey, FileRecord>((db, value) =>
  db.selectFrom('files').selectAll().where('uploadId', '=', value('uploadId')).where('id', '=', value('id')),
)

const insert = preparedQuery<FileRecord, unknown>((db, value) =>
  db.insertInto('files').values({
    id: value('id'),
    uploadId: value('uploadId'),
    position: value('position'),
    reference: value('reference'),
    fileName: value('fileName'),
    fileSize: value('fileSize'),
    type: value('type'),
    md5: value('md5'),
    crc32: value('crc32'),
    status: value('status'),
    createdAt: value('createdAt'),
    uploadedAt: value('uploadedAt'),
    instance: value('instance'),
    reserved: value('reserved'),
    claim: value('claim'),
    claimUntil: value('claimUntil'),
    sealed: value('sealed'),
    brokenDownloads: value('brokenDownloads'),
    downloads: value('downloads'),
    claimed: value('claimed'),
    preview: value('preview'),
  }),
)

const store = preparedQuery<StoredFile & FileKey & { owner: string }, unknown>((db, value) =>
  db
    .updateTable('files')
    .set({
      fileSize: value('fileSize'),
      type: value('type'),
      md5: value('md5'),
      crc32: value('crc32'),
      uploadedAt: value('uploadedAt'),
      status: 'uploaded',
      instance: null,
      reserved: 0,
    })
    .where('uploadId', '=', value('uploadId'))
    .where('id', '=', value('id'))
    .where('status', '=', 'uploading')
    .where('instance', '=', value('owner')),
)

/**
 * Queries of the table `files`. Every change of a status is a conditional update, whose result says whether this call made
 * the change.
 */
export function fileQueries(db: Db, capabilities: Capabilities, lists: Db) {
  const where = (key: FileKey) => updateFile(db, key)
  return {
    ...fileListQueries(db, lists),
    ...claimQueries(db),
    ...abandonedFileQueries(db, capabilities),
    ...streamedFileQueries(db),
    ...reservedQuotaQueries(db),
    ...manifestQueries(db),

    insert: async (row: FileRecord): Promise<void> => {
      await insert(db, row)
    },

    /**
     * Inserts files of one upload, in the order of their keys, so that SQLite fills one page of the table after the other.
     */
    async insertAll(rows: readonly FileRecord[]): Promise<void> {
      for (const row of rows.toSorted(byId)) await insert(db, row)
    },

    find: async (uploadId: string, id: string): Promise<FileRecord | undefined> =>
      (await find(db, { id, uploadId })).rows[0],

    /** missing → uploading, by one instance. */
    async startUpload(file: FileKey, instance: string): Promise<boolean> {
      const query = where(file).where('status', '=', 'missing').set({ status: 'uploading', instance })
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * missing → uploading, for a resumable upload, which no instance receives yet.
     * @param fileSize 0 when unknown
     */
    async startResumable(file: FileKey, fileSize: number): Promise<boolean> {
      const query = where(file).where('status', '=', 'missing').set({ status: 'uploading', fileSize })
      return hasChangedRows(await db.executeQuery(query))
    },

    /** Sets the expected size of a file that is being uploaded. */
    async setFileSize(file: FileKey, fileSize: number): Promise<void> {
      await where(file).where('status', '=', 'uploading').set({ fileSize }).execute()
    },

    /** The files with these ids whose upload has started. */
    findStarted: (
      ids: readonly string[],
    ): Promise<Pick<FileRecord, 'id' | 'uploadId' | 'status' | 'instance'>[]> =>
      db
        .selectFrom('files')
        .select(['id', 'uploadId', 'status', 'instance'])
        .where('id', 'in', padKeys(ids))
        .where(isStarted)
        .execute(),

    /** uploading → uploaded, by the instance that received the bytes. */
    store: async (
      { id, uploadId }: FileKey,
      instance: string,
      { fileSize, type, md5, crc32, uploadedAt }: StoredFile,
    ): Promise<boolean> =>
      hasChangedRows(
        await store(db, { fileSize, type, md5, crc32, uploadedAt, id, uploadId, owner: instance }),
      ),

    /** → removed, from every status in which bytes are stored or may still arrive. */
    async remove(file: FileKey): Promise<boolean> {
      const query = where(file)
        .where('status', 'in', removable)
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0 })
      return hasChangedRows(await db.executeQuery(query))
    },

    /** → removed, for all such files of an upload. */
    async removeAll(uploadId: string): Promise<void> {
      await db
        .updateTable('files')
        .set({ status: 'removed', claim: null, claimUntil: null, sealed: 0 })
        .where('uploadId', '=', uploadId)
        .where('status', 'in', removable)
        .execute()
    },

    /** Records that the instance that was receiving the file has stopped writing it. */
    async clearInstance(file: FileKey): Promise<void> {
      await where(file).where('status', '!=', 'uploading').set({ instance: null }).execute()
    },

    /**
     * Records that a stored file has a preview, once.
     * @returns false when it has one already, or is not stored
     */
    async addPreview(file: FileKey): Promise<boolean> {
      const query = where(file).where('status', '=', 'uploaded').where('preview', '=', 0).set({ preview: 1 })
      return hasChangedRows(await db.executeQuery(query))
    },

    /**
     * removed → deleted, once the data is deleted. Deletes the previews of these files.
     * @returns the number of files that were not deleted before
     */
    async markDeleted(ids: readonly string[]): Promise<number> {
      await db.deleteFrom('previews').where('fileId', 'in', padKeys(ids)).execute()
      const { numUpdatedRows } = await db
        .updateTable('files')
        .set({ status: 'deleted', ...noContent })
        .where('id', 'in', padKeys(ids))
        .where(hasStatus(capabilities, 'removed'))
        .executeTakeFirstOrThrow()
      return Number(numUpdatedRows)
    },
  }
}

/** The description of the content of a file after its bytes are deleted. Its size stays. */
export const noContent = { type: '', md5: '', crc32: 0, preview: 0 } as const satisfies Partial<FileRecord>

const byId = (a: FileRecord, b: FileRecord) => (a.id < b.id ? -1 : 1)
