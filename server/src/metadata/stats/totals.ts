import type { ServerStats, UserStats } from '@svc/contract'
import { sql, type Expression, type InsertQueryBuilder, type InsertResult } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import { prepared, type Db } from '../query/prepared.ts'
import type { Schema, TotalsRow } from '../query/schema.ts'

/** Sums of what is stored. Files that are missing, on their way or removed do not count. */
export type Totals = Omit<TotalsRow, 'owner' | 'shard'>

/** Owners of sums that belong to no single user: no user has such an id. */
export const owners = { anonymous: '', users: '*' } as const

/** Rows of the same sum: transactions at the same time, each of which locks its row, seldom meet in one. */
const shards = 16
let shard = 0

/** What the works of a transaction have added, by owner, where several share one. */
const remembered = new WeakMap<Db, Map<string, Totals>>()

const nothing: Totals = { users: 0, uploads: 0, files: 0, size: 0 }
const names = Object.keys(nothing) as readonly (keyof Totals)[]

/** Adds to a row, and makes it where it is missing. */
const addOnConflict = prepared<TotalsRow, unknown>((db, value) =>
  inserted(db, value).onConflict((conflict) =>
    conflict
      .columns(['owner', 'shard'])
      .doUpdateSet(
        sums((name) => sql<number>`${sql.ref(`totals.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
      ),
  ),
)
const addOnDuplicateKey = prepared<TotalsRow, unknown>((db, value) =>
  inserted(db, value).onDuplicateKeyUpdate(
    sums((name) => sql<number>`${sql.ref(name)} + values(${sql.ref(name)})`),
  ),
)

const inserted = (
  db: Db,
  value: <Name extends keyof TotalsRow>(name: Name) => TotalsRow[Name],
): InsertQueryBuilder<Schema, 'totals', InsertResult> =>
  db.insertInto('totals').values({
    owner: value('owner'),
    shard: value('shard'),
    users: value('users'),
    uploads: value('uploads'),
    files: value('files'),
    size: value('size'),
  })

const sums = (sum: (name: keyof Totals) => Expression<number>) => ({
  users: sum('users'),
  uploads: sum('uploads'),
  files: sum('files'),
  size: sum('size'),
})

const added = (sum: Totals, change: Partial<Totals>): Totals => ({
  users: sum.users + (change.users ?? 0),
  uploads: sum.uploads + (change.uploads ?? 0),
  files: sum.files + (change.files ?? 0),
  size: sum.size + (change.size ?? 0),
})

/** The counters of an owner, with what the works of a transaction have added. */
export async function totalsOf(db: Db, owner: string): Promise<Totals> {
  const row = await db
    .selectFrom('totals')
    .where('owner', '=', owner)
    .select((eb) => names.map((name) => eb.fn.sum<string | number | null>(name).as(name)))
    .executeTakeFirstOrThrow()
  const [users = 0, uploads = 0, files = 0, size = 0] = names.map((name) => Number(row[name] ?? 0))
  return added({ users, uploads, files, size }, remembered.get(db)?.get(owner) ?? {})
}

/** What mass removals hide of the counters of a user, or of all users. */
async function hiddenOf(db: Db, userId?: string): Promise<Totals> {
  const removals = db
    .selectFrom('removals')
    .select((eb) =>
      (['uploads', 'files', 'size'] as const).map((name) => eb.fn.sum<string | number | null>(name).as(name)),
    )
  const row = await (
    userId === undefined ? removals : removals.where('userId', '=', userId)
  ).executeTakeFirstOrThrow()
  return {
    users: 0,
    uploads: Number(row.uploads ?? 0),
    files: Number(row.files ?? 0),
    size: Number(row.size ?? 0),
  }
}

/** What works of a transaction add to rows that all of them change, and that is written once for all. */
export interface TransactionSums {
  write(transaction: Db): Promise<void>
  /** Forgets what was added since the last `write`. */
  drop(transaction: Db): void
}

/** What of some counters is not hidden. A file that its removal did not wait for may make it less than nothing for a moment. */
const shown = (sum: Totals, hidden: Totals): Totals => ({
  users: sum.users,
  uploads: Math.max(0, sum.uploads - hidden.uploads),
  files: Math.max(0, sum.files - hidden.files),
  size: Math.max(0, sum.size - hidden.size),
})

export const transactionTotals: TransactionSums = {
  async write(transaction) {
    const changes = remembered.get(transaction) ?? []
    remembered.delete(transaction)
    for (const [owner, change] of changes) await addOnConflict(transaction, { owner, shard: 0, ...change })
  },
  drop(transaction) {
    remembered.delete(transaction)
  },
}

/**
 * Queries of the table `totals`: counters for statistics, which change in the transaction that changes what they count,
 * as its last statement. Their rows are the last in the order of locks.
 */
export function totalsQueries(db: Db, { upsert, rowLocks }: Pick<Capabilities, 'upsert' | 'rowLocks'>) {
  const add = upsert === 'on conflict' ? addOnConflict : addOnDuplicateKey
  const addTo = async (owner: string, of: number, change: Partial<Totals>) => {
    if (!rowLocks && db.isTransaction) {
      const changes = remembered.get(db) ?? new Map<string, Totals>()
      remembered.set(db, changes.set(owner, added(changes.get(owner) ?? nothing, change)))
      return
    }
    await add(db, { owner, shard: of, ...nothing, ...change })
  }
  return {
    /** Adds to what is stored of a user, or of all who have no name (null). Numbers may be negative. */
    async add(userId: string | null, change: Partial<Omit<Totals, 'users'>>): Promise<void> {
      if (userId !== null) await addTo(userId, 0, change)
      shard = (shard + 1) % shards
      await addTo(userId === null ? owners.anonymous : owners.users, rowLocks ? shard : 0, change)
    },

    /**
     * Adds to what is stored of several owners (null: those who have no name). All in one order, so that two who do so do
     * not wait for each other.
     */
    async addAll(changes: ReadonlyMap<string | null, Omit<Totals, 'users'>>): Promise<void> {
      const ofUsers = [...changes].filter((one): one is [string, Omit<Totals, 'users'>] => one[0] !== null)
      for (const [userId, change] of ofUsers.sort(([a], [b]) => (a < b ? -1 : 1)))
        await addTo(userId, 0, change)
      shard = (shard + 1) % shards
      const all = ofUsers.reduce((sum, [, change]) => added(sum, change), nothing)
      if (ofUsers.length > 0) await addTo(owners.users, rowLocks ? shard : 0, all)
      const anonymous = changes.get(null)
      if (anonymous !== undefined) await addTo(owners.anonymous, rowLocks ? shard : 0, anonymous)
    },

    /** Counts a user more (1) or less (-1). */
    addUsers: (by: 1 | -1) => addTo(owners.users, 0, { users: by }),

    /** Forgets what was stored of a user. */
    async forget(userId: string): Promise<void> {
      remembered.get(db)?.delete(userId)
      await db.deleteFrom('totals').where('owner', '=', userId).execute()
    },

    async ofUser(userId: string): Promise<UserStats> {
      const { uploads, files, size } = shown(await totalsOf(db, userId), await hiddenOf(db, userId))
      return { uploads, files, totalSize: size }
    },

    async ofServer(): Promise<ServerStats> {
      const owned = shown(await totalsOf(db, owners.users), await hiddenOf(db))
      const anonymous = await totalsOf(db, owners.anonymous)
      return {
        users: owned.users,
        uploads: owned.uploads + anonymous.uploads,
        anonymousUploads: anonymous.uploads,
        files: owned.files + anonymous.files,
        totalSize: owned.size + anonymous.size,
        anonymousTotalSize: anonymous.size,
      }
    },
  }
}
