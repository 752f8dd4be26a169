import { sql } from 'kysely'
import type { Capabilities } from './dialects/dialect.ts'
import type { Db } from './query/prepared.ts'

/**
 * Copies what SQLite's write-ahead log has into the database file, as far as no reader needs the old state. Other databases
 * do so beside their commits.
 */
export async function checkpoint(db: Db, { checkpoints }: Pick<Capabilities, 'checkpoints'>): Promise<void> {
  if (checkpoints === 'in commits') await sql`pragma wal_checkpoint(passive)`.execute(db)
}
