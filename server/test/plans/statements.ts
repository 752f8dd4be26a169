import type { CompiledQuery } from 'kysely'

/**
 * Tables that grow with the use of the service. The others have a row per instance, setting, day or shard.
 */
export const largeTables = [
  'uploads',
  'files',
  'users',
  'tokens',
  'sessions',
  'resumables',
  'claims',
  'downloads',
  'aliases',
  'previews',
  'requests',
  'webhooks',
  'deliveries',
  'events',
  'notificationSettings',
  'pushSubscriptions',
  'attempts',
]

/** Keeps one of each text among statements: statements that differ only in values have the same plan. */
export function collectStatements() {
  const collected = new Map<string, CompiledQuery>()
  return {
    add(query: CompiledQuery): void {
      // Transactions and settings have no plan.
      if (/^(select|insert|update|delete|with)\b/.test(query.sql)) collected.set(query.sql, query)
    },
    all: (): readonly CompiledQuery[] => [...collected.values()],
  }
}

/** Statements with a reason to read a whole table. */
const excused: readonly RegExp[] = [
  // A substring of a name has no index: users only, for admins.
  / like lower\(/,
]

export const isExcused = ({ sql }: CompiledQuery): boolean => excused.some((pattern) => pattern.test(sql))
