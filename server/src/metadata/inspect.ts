import { Kysely, sql } from 'kysely'
import type { MetadataDialect, Capabilities } from './dialects/dialect.ts'
import { migrationsFor } from './migrations/index.ts'
import { describeUnknown, presentName } from './migrations/names.ts'
import type { Schema } from './query/schema.ts'
import { hasFiles } from './stats/totals.ts'

/** The state of a database. The inspection does not change it. */
export interface DatabaseInspection {
  /** The version that the database reports. */
  readonly version: string
  /** The names of migrations that the database does not have yet; all of them when it is empty. */
  readonly pending: readonly string[]
  /** Whether it has no tables of svcd. */
  readonly isNew: boolean
  /** Whether it has files whose bytes should be in the data store; `unknown` before the migration that counts them. */
  readonly hasFiles: 'yes' | 'no' | 'unknown'
  /** Why this program cannot use the database, as the rest of a sentence; null if it can. */
  readonly refusal: string | null
  /** The database's clock in ms; null if it uses the clock of this machine. */
  readonly now: number | null
  /** The last heartbeat of each instance, in ms of the database's clock, or of the clock of this machine. */
  readonly heartbeats: readonly number[]
  /** The private key of push messages; null if there is none yet. */
  readonly vapidKey: string | null
  /** Free bytes of the disk that holds the database; null for a database on the network. */
  readonly freeSpace: number | null
  /** Why it accepts no writes, as a sentence; null if it does. */
  readonly refusedWrites: string | null
  /** Settings with which a power cut can undo commits, as sentences. */
  readonly weakSettings: readonly string[]
}

/** @throws when the database cannot be opened or does not respond */
export async function inspectDatabase(dialect: MetadataDialect): Promise<DatabaseInspection> {
  const db = new Kysely<Schema>({ dialect })
  try {
    const capabilities = await dialect.capabilities(db)
    const version = await versionOf(db, dialect)
    const now = await timeOf(db, dialect)
    const { isNew, pending, refusal } = await migrationsOf(db, capabilities)
    const isCurrent = pending.length === 0
    const heartbeats = isCurrent ? await db.selectFrom('instances').select('seenAt').execute() : []
    const vapidKey = isCurrent ? await vapidKeyIn(db) : null
    const freeSpace = (await dialect.freeSpace?.()) ?? null
    const refusedWrites = await dialect.refusesWrites(db)
    const weakSettings = await dialect.weakSettings(db)
    return {
      version,
      now,
      pending,
      isNew,
      hasFiles: isNew ? 'no' : await filesIn(db, pending),
      refusal,
      heartbeats: heartbeats.map(({ seenAt }) => seenAt),
      vapidKey,
      freeSpace,
      refusedWrites,
      weakSettings,
    }
  } finally {
    await db.destroy()
  }
}

async function filesIn(db: Kysely<Schema>, pending: readonly string[]): Promise<'yes' | 'no' | 'unknown'> {
  if (pending.includes('0011-totals')) return 'unknown'
  return (await hasFiles(db)) ? 'yes' : 'no'
}

async function vapidKeyIn(db: Kysely<Schema>): Promise<string | null> {
  const found = db.selectFrom('settings').select('value').where('key', '=', 'vapidKey')
  return (await found.executeTakeFirst())?.value ?? null
}

async function versionOf(db: Kysely<Schema>, { version }: MetadataDialect): Promise<string> {
  const found = await db
    .selectNoFrom(sql<string>`${sql.raw(version)}`.as('version'))
    .executeTakeFirstOrThrow()
  return found.version
}

/** The database's clock in ms; null if it uses the clock of this machine. */
export async function timeOf(db: Kysely<Schema>, { time }: MetadataDialect): Promise<number | null> {
  if (time === null) return null
  const found = await db
    .selectNoFrom(sql<string | number>`${sql.raw(time)}`.as('time'))
    .executeTakeFirstOrThrow()
  return Number(found.time)
}

/** Compares the migrations of a database with those of this program. */
export async function migrationsOf(db: Kysely<Schema>, capabilities: Capabilities) {
  const applied = (await appliedMigrations(db)).map(presentName)
  const known = Object.keys(migrationsFor(capabilities))
  const unknown = applied.filter((name) => !known.includes(name))
  return {
    isNew: applied.length === 0,
    pending: known.filter((name) => !applied.includes(name)),
    refusal: unknown.length === 0 ? null : describeUnknown(unknown, known),
  }
}

/** Records applied migrations under their present names. Several processes may do so at the same time. */
export async function renameMigrations(db: Kysely<Schema>): Promise<void> {
  const applied = await appliedMigrations(db)
  const former = applied.filter((name) => presentName(name) !== name)
  await db.transaction().execute(async (transaction) => {
    for (const name of former)
      await sql`update ${sql.table(migrationTable)} set name = ${presentName(name)} where name = ${name}`.execute(
        transaction,
      )
  })
}

async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === migrationTable)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** The name that Kysely gives its table of migrations. */
const migrationTable = 'kysely_migration'
