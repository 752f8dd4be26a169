import { sql } from 'kysely'
import type { Capabilities } from './dialects/dialect.ts'
import type { Db } from './query/prepared.ts'

/** Pages that are given back at a time: a megabyte or so, which takes a few milliseconds. */
const pages = 250

/** Free pages that the file keeps: new rows take them soon. */
const kept = 1_000

/**
 * Gives some of SQLite's free pages back to the disk, where the file was made for that (`auto_vacuum`); other databases
 * do so by themselves.
 * @returns whether there is more to give back
 */
export async function giveSpaceBack(
  db: Db,
  { freePages }: Pick<Capabilities, 'freePages'>,
): Promise<boolean> {
  if (freePages !== 'incremental') return false
  if ((await valueOf(db, 'auto_vacuum')) !== incremental) return false
  const free = await valueOf(db, 'freelist_count')
  if (free <= kept) return false
  await sql.raw(`pragma incremental_vacuum(${String(pages)})`).execute(db)
  const left = await valueOf(db, 'freelist_count')
  return left < free && left > kept
}

/** As SQLite numbers the ways of vacuuming. */
const incremental = 2

async function valueOf(db: Db, pragma: 'auto_vacuum' | 'freelist_count'): Promise<number> {
  const { rows } = await sql<Readonly<Record<string, number>>>`${sql.raw(`pragma ${pragma}`)}`.execute(db)
  return rows[0]?.[pragma] ?? 0
}
