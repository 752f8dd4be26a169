import type { UploadRecord } from '../../domain/records.ts'
import type { Capabilities } from '../dialects/dialect.ts'
import { hasStatus } from './file-key.ts'
import type { Db } from '../query/prepared.ts'

/**
 * Selects unfinished files: those that other instances receive in one request, and resumable uploads with recent progress.
 */
interface PendingFilter {
  readonly exceptInstance: string
  /** A resumable upload without a stored byte counts if it was announced after this time. Milliseconds since the epoch. */
  readonly announcedSince: number
  /** Other resumable uploads count if their last part arrived after this time. Milliseconds since the epoch. */
  readonly progressSince: number
  /** The time from the last part of a resumable upload to its expiry. Milliseconds. */
  readonly expireAfter: number
}

/** Announced bytes of the uploads of a user, or of an address. */
interface PendingBytes extends Pick<UploadRecord, 'userId' | 'address'> {
  readonly bytes: number
}

/** Queries of the bytes that unfinished files still expect. */
export function pendingBytesQueries(db: Db, capabilities: Capabilities) {
  return {
    /** The announced bytes of unfinished files that have not arrived yet, by owner and address of the upload. */
    async pendingBytes(filter: PendingFilter): Promise<readonly PendingBytes[]> {
      const unfinished = db
        .selectFrom('files')
        .innerJoin('uploads', 'uploads.id', 'files.uploadId')
        .select(['uploads.userId', 'uploads.address'])
        .where(hasStatus(capabilities, 'uploading'))
        .groupBy(['uploads.userId', 'uploads.address'])
      const resumable = unfinished
        .innerJoin('resumables', 'resumables.fileId', 'files.id')
        .select((eb) =>
          eb.fn.sum<string | number | null>(eb('resumables.size', '-', eb.ref('received'))).as('bytes'),
        )
        .where((eb) => {
          const movedSince = (since: number) =>
            eb.or([
              eb('files.createdAt', '>', since),
              eb('resumables.expireAt', '>', since + filter.expireAfter),
            ])
          return eb.or([
            movedSince(filter.announcedSince),
            eb.and([eb('received', '>', 0), movedSince(filter.progressSince)]),
          ])
        })
      const singleRequest = unfinished
        .leftJoin('resumables', 'resumables.fileId', 'files.id')
        .select((eb) => eb.fn.sum<string | number | null>('files.fileSize').as('bytes'))
        .where('files.instance', '!=', filter.exceptInstance)
        .where('uploads.stream', '=', 0)
        .where('resumables.fileId', 'is', null)
      const rows = await Promise.all([resumable.execute(), singleRequest.execute()])
      return rows.flat().map((row) => ({ ...row, bytes: Number(row.bytes ?? 0) }))
    },
  }
}
