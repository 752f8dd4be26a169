import { sql } from 'kysely'
import type { Capabilities } from './dialects/dialect.ts'
import type { Db } from './query/prepared.ts'

/** The result of a checkpoint, in pages of the log. */
interface CheckpointResult {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Empties SQLite's write-ahead log, which otherwise keeps the texts of deleted rows until later commits overwrite them.
 * Readers do not wait, and writers wait only for a short copy. While a reader needs the old state, or another process writes,
 * the log stays unchanged.
 */
export async function truncateLog(db: Db, { checkpoints }: Pick<Capabilities, 'checkpoints'>): Promise<void> {
  if (checkpoints !== 'in commits') return
  const { rows } = await sql<CheckpointResult>`pragma wal_checkpoint(passive)`.execute(db)
  const isCopied = rows.every(({ busy, log, checkpointed }) => busy === 0 && log === checkpointed)
  // This checkpoint holds the lock of writers, so little must be left to copy. A busy log is a row, not an error.
  if (isCopied) await sql`pragma wal_checkpoint(truncate)`.execute(db)
}
