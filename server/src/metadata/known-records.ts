import { Kysely } from 'kysely'
import type { FileRecord } from '../domain/records.ts'
import type { MetadataDialect } from './dialects/dialect.ts'
import { isStarted } from './files/file-key.ts'
import type { Db } from './query/prepared.ts'
import type { Schema } from './query/schema.ts'
import { usableSchema } from './usable-schema.ts'

/** Finds which of some ids a database has. */
export type FindKnown = (ids: readonly string[]) => Promise<ReadonlySet<string>>

/** What the data store has of a complete file. */
export type ExpectedBytes = Pick<FileRecord, 'fileSize' | 'md5'>

export interface KnownRecords extends Readonly<
  Record<'users' | 'tokens' | 'requests' | 'uploads' | 'webhooks', FindKnown>
> {
  /** Finds the files of some uploads. There may be no index of the ids of all files. */
  readonly filesOf: (uploadIds: readonly string[]) => Promise<ReadonlySet<string>>
  /**
   * Finds the complete files among some ids, whose bytes should be in the data store: none that was deleted or downloaded for
   * the last time, and none of an upload that was removed or has expired.
   * @param now milliseconds since the epoch
   */
  readonly storedFiles: (ids: readonly string[], now: number) => Promise<ReadonlyMap<string, ExpectedBytes>>
}

export function knownRecords(db: Db): KnownRecords {
  const knownOf =
    (table: Exclude<keyof KnownRecords, 'filesOf' | 'storedFiles'>): FindKnown =>
    async (ids) =>
      new Set(
        ids.length === 0
          ? []
          : (await db.selectFrom(table).select('id').where('id', 'in', ids).execute()).map(({ id }) => id),
      )
  return {
    users: knownOf('users'),
    tokens: knownOf('tokens'),
    requests: knownOf('requests'),
    uploads: knownOf('uploads'),
    webhooks: knownOf('webhooks'),
    filesOf: async (uploadIds) => {
      if (uploadIds.length === 0) return new Set()
      const rows = await db.selectFrom('files').select('id').where('uploadId', 'in', uploadIds).execute()
      return new Set(rows.map(({ id }) => id))
    },
    storedFiles: async (ids, now) => {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('files')
        .innerJoin('uploads', 'uploads.id', 'files.uploadId')
        .select(['files.id', 'files.fileSize', 'files.md5'])
        // The index of ids may lack files that have not started.
        .where(isStarted)
        .where('files.status', '=', 'uploaded')
        .where('files.id', 'in', ids)
        .where('uploads.deletedAt', 'is', null)
        .where((eb) => eb.or([eb('uploads.expireAt', 'is', null), eb('uploads.expireAt', '>', now)]))
        .execute()
      return new Map(rows.map((row) => [row.id, row]))
    },
  }
}

/** A database without records. */
export const nothingKnown: KnownRecords = {
  users: () => Promise.resolve(new Set()),
  tokens: () => Promise.resolve(new Set()),
  requests: () => Promise.resolve(new Set()),
  uploads: () => Promise.resolve(new Set()),
  filesOf: () => Promise.resolve(new Set()),
  webhooks: () => Promise.resolve(new Set()),
  storedFiles: () => Promise.resolve(new Map()),
}

/**
 * Finds the records of a database that stays unchanged: it is not migrated, and an empty one gets no tables.
 * @throws when it cannot be opened, and `CommandError` when it lacks migrations
 */
export async function withKnownRecords<Result>(
  dialect: MetadataDialect,
  work: (known: KnownRecords) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<Schema>({ dialect })
  try {
    const isUsable = await usableSchema(db, await dialect.capabilities(db))
    return await work(isUsable ? knownRecords(db) : nothingKnown)
  } finally {
    await db.destroy()
  }
}
