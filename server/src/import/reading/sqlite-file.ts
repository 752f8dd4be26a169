import { open } from 'node:fs/promises'
import { CommandError } from '../../domain/command-error.ts'
import { readingSource } from './unreadable-source.ts'

/** The first bytes of each file of SQLite. */
const header = 'SQLite format 3\0'

/** What a file has, by its first bytes. */
export async function contentOf(path: string): Promise<'SQLite' | 'empty' | 'other'> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(header.length), 0, header.length, 0)
  if (bytesRead === 0) return 'empty'
  return buffer.toString('latin1', 0, bytesRead) === header ? 'SQLite' : 'other'
}

/** @throws CommandError when a file is absent, or not a database of SQLite */
export async function requireSqlite(path: string, service: string): Promise<void> {
  const content = await readingSource(() => contentOf(path)).catch((cause: unknown) => {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(`${service}'s database ${path} cannot be opened`, cause)
  })
  if (content === 'empty') throw new CommandError(`${service}'s database ${path} is empty`)
  if (content === 'other') throw new CommandError(`${service}'s database ${path} is not a file of SQLite`)
}
