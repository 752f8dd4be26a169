import fs from 'node:fs'
import { promisify } from 'node:util'
import { sharedSync } from './shared-sync.ts'

const open = promisify(fs.open)
const close = promisify(fs.close)
const fdatasync = promisify(fs.fdatasync)

export interface WalSync {
  /** Resolves when every transaction that was committed before the call survives a power cut. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Brings the write-ahead log of a SQLite database to the disk. With `synchronous = normal`, SQLite writes a commit to the log
 * and leaves it to the system when the log reaches the disk; what makes a checkpoint safe it syncs itself (the log before it
 * copies from it, the database afterwards, the header of a log that begins anew). What is missing is one sync of the log
 * after the commit: done here on another thread, and once for all commits that wait. `synchronous = full` does the same inside
 * the commit, one by one, with the event loop standing still.
 *
 * The log stays the same file as long as the database is open. SQLite holds no lock on it, so that closing it here, which
 * gives up the locks of the whole process on a file, harms none.
 * @param path of the database
 */
export function walSync(path: string): WalSync {
  let log: Promise<number> | undefined
  const sync = sharedSync(async () => {
    // SQLite makes the log as it first writes.
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
