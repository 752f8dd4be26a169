import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FileStatus } from '@svc/contract'
import { until } from '../until.ts'

interface ServerDirectory {
  readonly directory: string
}

/** Names of all files in the data directory of a server, including unfinished ones. */
export function storedFiles({ directory }: ServerDirectory): string[] {
  const root = join(directory, 'files')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

/** Bytes of all files in the data directory of a server, including unfinished ones. */
export function storedBytes({ directory }: ServerDirectory): number {
  const root = join(directory, 'files')
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0)
}

/** The first column of a query on the database of a server. */
export function lookUp({ directory }: ServerDirectory, sql: string): unknown[] {
  const database = new DatabaseSync(join(directory, 'svc.db'), { readOnly: true, timeout: 5_000 })
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0])
  } finally {
    database.close()
  }
}

/**
 * Writes to the database of a server in this process, between its transactions: to wait for one without returning to the event
 * loop would keep it from ending.
 */
export async function writeData(
  { directory }: ServerDirectory,
  write: (database: DatabaseSync) => void,
): Promise<void> {
  using database = new DatabaseSync(join(directory, 'svc.db'))
  await until('no transaction runs', () => {
    try {
      database.exec('begin immediate')
      return true
    } catch (error) {
      if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
      throw error
    }
  })
  write(database)
  database.exec('commit')
}

/** SQLITE_BUSY (https://sqlite.org/rescode.html#busy). */
const sqliteBusy = 5

/** The status of every file that was ever declared or sent. */
export const fileStatuses = (server: ServerDirectory) =>
  lookUp(server, 'select status from files order by createdAt, id') as FileStatus[]
