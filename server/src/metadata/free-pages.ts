import { sql } from 'kysely'
import type { Capabilities } from './dialects/dialect.ts'
import type { Db } from './query/prepared.ts'

/** The number of pages that one call releases: about a megabyte, in a few milliseconds. */
const pagesPerCall = 250

/** The number of free pages that stay in the file, because new rows use them soon. */
const keptFreePages = 1_000

/** The value of the pragma `auto_vacuum` for incremental vacuum. */
const incrementalVacuum = 2

/**
 * Returns some free pages of SQLite to the file system, if the file was created with `auto_vacuum`. Other databases reuse free
 * pages and need no call.
 * @returns whether more pages can be released
 */
export async function releaseFreePages(
  db: Db,
  { freePages }: Pick<Capabilities, 'freePages'>,
): Promise<boolean> {
  if (freePages !== 'incremental') return false
  if ((await readPragma(db, 'auto_vacuum')) !== incrementalVacuum) return false
  const free = await readPragma(db, 'freelist_count')
  if (free <= keptFreePages) return false
  await sql.raw(`pragma incremental_vacuum(${String(pagesPerCall)})`).execute(db)
  const left = await readPragma(db, 'freelist_count')
  return left < free && left > keptFreePages
}

async function readPragma(db: Db, pragma: 'auto_vacuum' | 'freelist_count'): Promise<number> {
  const { rows } = await sql<Readonly<Record<string, number>>>`${sql.raw(`pragma ${pragma}`)}`.execute(db)
  return rows[0]?.[pragma] ?? 0
}
