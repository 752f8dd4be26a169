import { open } from 'node:fs/promises'
import { CommandError } from '../domain/command-error.ts'

/** The first bytes of each file of SQLite. */
const header = 'SQLite format 3\0'

/** Whether a file is a database of SQLite. */
export async function isSqlite(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0)
  return buffer.toString('latin1', 0, bytesRead) === header
}

/** @throws CommandError when a file is absent, or not a database of SQLite */
export async function requireSqlite(path: string, service: string): Promise<void> {
  const isDatabase = await isSqlite(path).catch((cause: unknown) => {
    throw new CommandError(`${service}'s database ${path} cannot be opened`, cause)
  })
  if (!isDatabase) throw new CommandError(`${service}'s database ${path} is not a file of SQLite`)
}
