import type { FileRecord } from '../../domain/records.ts'
import { updateFile, type FileKey } from './file-key.ts'
import { hasChangedRows, type Db } from '../query/prepared.ts'

/** Queries of the table `files` for files of streams, which one instance passes on at a time. */
export function streamedFileQueries(db: Db) {
  const where = (key: FileKey) => updateFile(db, key)
  return {
    /**
     * missing → uploading, for a file that one instance streams. A file that an instance without a heartbeat after
     * `aliveSince` was streaming counts as missing.
     */
    async startStream(file: FileKey, instance: string, aliveSince: number): Promise<boolean> {
      const alive = db.selectFrom('instances').select('id').where('seenAt', '>', aliveSince)
      const query = where(file)
        .where((eb) =>
          eb.or([
            eb('status', '=', 'missing'),
            eb.and([eb('status', '=', 'uploading'), eb('instance', 'not in', alive)]),
          ]),
        )
        .set({ status: 'uploading', instance })
      return hasChangedRows(await db.executeQuery(query))
    },

    /** uploading → missing, for a stream of one instance that broke. */
    async resetStream(file: FileKey, instance: string): Promise<boolean> {
      const query = where(file)
        .where('status', '=', 'uploading')
        .where('instance', '=', instance)
        .set({ status: 'missing', instance: null })
      return hasChangedRows(await db.executeQuery(query))
    },

    /** uploading → removed, for a stream of one instance whose recipient has received every byte. */
    async completeStream(
      file: FileKey,
      instance: string,
      sent: Pick<FileRecord, 'type' | 'fileSize'>,
    ): Promise<boolean> {
      const query = where(file)
        .where('status', '=', 'uploading')
        .where('instance', '=', instance)
        .set({ ...sent, downloads: 1, status: 'removed', instance: null })
      return hasChangedRows(await db.executeQuery(query))
    },
  }
}
