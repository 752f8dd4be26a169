import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DatabaseError } from '../errors.ts'
import { busyRetry, isBusy } from './busy-retry.ts'

/** About two seconds: a server holds the lock for some milliseconds. */
const retries = 2_000

/**
 * Takes the write lock, and releases it without a change. Only a process that has the database open can hold the lock, and
 * such a process has a log. The caller keeps a connection that only reads open, so this one is not the last, which would
 * remove the log.
 * @returns the reason as a sentence; null if the database accepts writes
 */
export async function sqliteRefusesWrites(path: string): Promise<string | null> {
  if (!existsSync(`${path}-wal`)) return null
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    await busyRetry(retries)(() => {
      database.exec('begin immediate')
      database.exec('rollback')
      return { rows: [] }
    })
    return null
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    // Free space is a separate finding.
    if (error.kind === 'full') return null
    return isBusy(error.cause) ? 'it is locked by another process' : 'it is read-only'
  } finally {
    database.close()
  }
}
