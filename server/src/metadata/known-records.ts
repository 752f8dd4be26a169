import { Kysely } from 'kysely'
import type { MetadataDialect } from './dialects/dialect.ts'
import type { Db } from './query/prepared.ts'
import type { Schema } from './query/schema.ts'
import { usableSchema } from './usable-schema.ts'

/** Finds which of some ids a database has. */
export type FindKnown = (ids: readonly string[]) => Promise<ReadonlySet<string>>

export type KnownRecords = Readonly<
  Record<'users' | 'tokens' | 'requests' | 'uploads' | 'files' | 'webhooks', FindKnown>
>

export function knownRecords(db: Db): KnownRecords {
  const knownOf =
    (table: keyof KnownRecords): FindKnown =>
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
    files: knownOf('files'),
    webhooks: knownOf('webhooks'),
  }
}

/** A database without records. */
export const nothingKnown: KnownRecords = {
  users: () => Promise.resolve(new Set()),
  tokens: () => Promise.resolve(new Set()),
  requests: () => Promise.resolve(new Set()),
  uploads: () => Promise.resolve(new Set()),
  files: () => Promise.resolve(new Set()),
  webhooks: () => Promise.resolve(new Set()),
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
