import type { AliasRecord } from '../../domain/records.ts'
import type { Db } from '../query/prepared.ts'

/** The first `limit` aliases after one, in their order. */
export function aliasesAfter(db: Db, last: Pick<AliasRecord, 'alias'> | undefined, limit: number) {
  const rows = db.selectFrom('aliases').selectAll().orderBy('alias').limit(limit)
  return last === undefined ? rows : rows.where('alias', '>', last.alias)
}

/** Which of some aliases exist. */
export async function knownAliases(db: Db, aliases: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('aliases').select('alias').where('alias', 'in', aliases).execute()
  return new Set(rows.map(({ alias }) => alias))
}
