import { chownSync, existsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../domain/command-error.ts'

/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). */
const busy = 5

/**
 * Runs work while no other process does so with the same file. The lock is one of SQLite, which the operating system releases
 * when a process is killed. The file is removed after the work; one that a killed process left behind does no harm.
 * @param path path of the file
 * @throws CommandError when another process holds the lock
 */
export async function exclusively<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  using lock = new DatabaseSync(path, { timeout: 0 })
  giveToOwnerOfFolder(path)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error && error.errcode === busy)) throw error
    throw new CommandError('another import into this svcd runs: wait until it has ended', error)
  }
  try {
    return await work()
  } finally {
    // Before the lock is released: a later import makes another file.
    await rm(path, { force: true })
  }
}

/** If root imports and is killed, the owner of the folder can still import. */
function giveToOwnerOfFolder(path: string): void {
  if (process.geteuid?.() !== 0 || !existsSync(path)) return
  const { uid, gid } = statSync(dirname(path))
  chownSync(path, uid, gid)
}
