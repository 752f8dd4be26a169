import fs from 'node:fs'
import { promisify } from 'node:util'
import { sharedSync } from './shared-sync.ts'

const open = promisify(fs.open)
const close = promisify(fs.close)
const fdatasync = promisify(fs.fdatasync)

export interface WalSync {
  /** Resolves when every transaction committed before the call survives a power cut. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Syncs the write-ahead log of a SQLite database. With `synchronous = normal`, SQLite writes a commit to the log without a
 * sync, and syncs only for a checkpoint (the log before it, the database after it, the header of a restarted log). This
 * sync after the commit runs in another thread, once for all waiting commits. With `synchronous = full`, each commit would
 * block the event loop during its sync.
 *
 * The log stays the same file while the database is open. Closing a file releases all POSIX locks of the process on it, but
 * SQLite holds no lock on the log.
 * @param path path of the database
 */
export function walSync(path: string): WalSync {
  let log: Promise<number> | undefined
  const sync = sharedSync(async () => {
    // SQLite creates the log with its first write.
    log ??= open(`${path}-wal`, fs.constants.O_RDONLY)
    const opened = log
    try {
      await fdatasync(await opened)
    } catch (error) {
      if (log === opened) log = undefined
      await opened.then(close, () => undefined)
      throw error
    }
  })
  return {
    sync,
    async close() {
      if (log === undefined) return
      await log.then(close, () => undefined)
    },
  }
}
