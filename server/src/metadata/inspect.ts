import { Kysely, sql } from 'kysely'
import type { MetadataDialect, Capabilities } from './dialects/dialect.ts'
import { migrationsFor } from './migrations/index.ts'
import type { Schema } from './query/schema.ts'

/** What can be seen of a database without a change to it. */
export interface DatabaseInspection {
  /** As the product tells it. */
  readonly version: string
  /** Names of migrations that this program knows and the database has not had; all of them when it is empty. */
  readonly pending: readonly string[]
  /** Names of migrations that a newer program has made. */
  readonly unknown: readonly string[]
  /** The database's clock in ms; null where it has none of its own. */
  readonly now: number | null
  /** Last heartbeats of the instances that are on it, in ms of the database's clock, or else of the machine's. */
  readonly signs: readonly number[]
  /** What in its settings lets a power cut undo what was answered; a sentence each. */
  readonly weakSettings: readonly string[]
}

/** @throws when the database cannot be opened or does not answer */
export async function inspectDatabase(dialect: MetadataDialect): Promise<DatabaseInspection> {
  const db = new Kysely<Schema>({ dialect })
  try {
    const traits = await dialect.traits(db)
    const version = await versionOf(db, dialect)
    const now = await timeOf(db, dialect)
    const { pending, unknown } = await migrationsOf(db, traits)
    const signs = pending.length === 0 ? await db.selectFrom('instances').select('seenAt').execute() : []
    const weakSettings = await dialect.weakSettings(db)
    return { version, now, pending, unknown, signs: signs.map(({ seenAt }) => seenAt), weakSettings }
  } finally {
    await db.destroy()
  }
}

async function versionOf(db: Kysely<Schema>, { version }: MetadataDialect): Promise<string> {
  const found = await db
    .selectNoFrom(sql<string>`${sql.raw(version)}`.as('version'))
    .executeTakeFirstOrThrow()
  return found.version
}

/** The database's clock in ms; null where it has none of its own. */
export async function timeOf(db: Kysely<Schema>, { time }: MetadataDialect): Promise<number | null> {
  if (time === null) return null
  const found = await db
    .selectNoFrom(sql<string | number>`${sql.raw(time)}`.as('time'))
    .executeTakeFirstOrThrow()
  return Number(found.time)
}

/** @returns those that the database has not had, and those that only a newer program knows */
export async function migrationsOf(db: Kysely<Schema>, traits: Capabilities) {
  const applied = await appliedMigrations(db)
  const known = Object.keys(migrationsFor(traits))
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

async function appliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === migrationTable)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTable)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** Kysely's own name for it. */
const migrationTable = 'kysely_migration'
