import type { ServerStats, UserStats } from '@svc/contract'
import { sql, type Expression, type InsertQueryBuilder, type InsertResult } from 'kysely'
import type { Capabilities } from '../dialects/dialect.ts'
import { preparedQuery, type Db } from '../query/prepared.ts'
import type { Schema, TotalsRow } from '../query/schema.ts'

/** Counters of stored data. Only files with the status `uploaded` count. */
export type Totals = Omit<TotalsRow, 'owner' | 'shard'>

/** The owners of the counters that belong to no single user. They are not ids of users. */
export const owners = { anonymous: '', users: '*' } as const

/** The number of rows per counter: concurrent transactions seldom lock the same row. */
const shards = 16
let shard = 0

/** The additions that a transaction will write at its end, by owner. Several calls may share the transaction. */
const pending = new WeakMap<Db, Map<string, Totals>>()

const nothing: Totals = { users: 0, uploads: 0, files: 0, size: 0 }
const names = Object.keys(nothing) as readonly (keyof Totals)[]

/** Adds to a row, or inserts it. */
const addOnConflict = preparedQuery<TotalsRow, unknown>((db, value) =>
  insertTotals(db, value).onConflict((conflict) =>
    conflict
      .columns(['owner', 'shard'])
      .doUpdateSet(
        sums((name) => sql<number>`${sql.ref(`totals.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
      ),
  ),
)
const addOnDuplicateKey = preparedQuery<TotalsRow, unknown>((db, value) =>
  insertTotals(db, value).onDuplicateKeyUpdate(
    sums((name) => sql<number>`${sql.ref(name)} + values(${sql.ref(name)})`),
  ),
)

const insertTotals = (
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

const addTotals = (sum: Totals, change: Partial<Totals>): Totals => ({
  users: sum.users + (change.users ?? 0),
  uploads: sum.uploads + (change.uploads ?? 0),
  files: sum.files + (change.files ?? 0),
  size: sum.size + (change.size ?? 0),
})

/** The counters of an owner, including the additions that the transaction has not written yet. */
export async function totalsOf(db: Db, owner: string): Promise<Totals> {
  const row = await db
    .selectFrom('totals')
    .where('owner', '=', owner)
    .select((eb) => names.map((name) => eb.fn.sum<string | number | null>(name).as(name)))
    .executeTakeFirstOrThrow()
  const [users = 0, uploads = 0, files = 0, size = 0] = names.map((name) => Number(row[name] ?? 0))
  return addTotals({ users, uploads, files, size }, pending.get(db)?.get(owner) ?? {})
}

/** Whether there are files whose bytes should be in the data store. */
export async function hasFiles(db: Db): Promise<boolean> {
  const counted = db.selectFrom('totals').select('owner').where('files', '>', 0).limit(1)
  return (await counted.executeTakeFirst()) !== undefined
}

/** The share of the counters of a user, or of all users, that mass removals hide. */
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

/** Additions to rows that all calls in a transaction change. They are written once, at its end. */
export interface DeferredTotals {
  write(transaction: Db): Promise<void>
  /** Discards the additions since the last `write`. */
  discard(transaction: Db): void
}

/** Counters without their hidden share. A concurrent upload may make the difference negative for a moment. */
const withoutHidden = (sum: Totals, hidden: Totals): Totals => ({
  users: sum.users,
  uploads: Math.max(0, sum.uploads - hidden.uploads),
  files: Math.max(0, sum.files - hidden.files),
  size: Math.max(0, sum.size - hidden.size),
})

export const deferredTotals: DeferredTotals = {
  async write(transaction) {
    const changes = pending.get(transaction) ?? []
    pending.delete(transaction)
    for (const [owner, change] of changes) await addOnConflict(transaction, { owner, shard: 0, ...change })
  },
  discard(transaction) {
    pending.delete(transaction)
  },
}

/**
 * Queries of the table `totals`. A counter changes in the transaction that changes the counted rows. It is the last statement
 * of the transaction, because its row comes last in the order of locks.
 */
export function totalsQueries(db: Db, { upsert, rowLocks }: Pick<Capabilities, 'upsert' | 'rowLocks'>) {
  const add = upsert === 'on conflict' ? addOnConflict : addOnDuplicateKey
  const addTo = async (owner: string, shardNumber: number, change: Partial<Totals>) => {
    if (!rowLocks && db.isTransaction) {
      const changes = pending.get(db) ?? new Map<string, Totals>()
      pending.set(db, changes.set(owner, addTotals(changes.get(owner) ?? nothing, change)))
      return
    }
    await add(db, { owner, shard: shardNumber, ...nothing, ...change })
  }
  return {
    /** Adds to the counters of a user, or of anonymous uploads (null). Numbers may be negative. */
    async add(userId: string | null, change: Partial<Omit<Totals, 'users'>>): Promise<void> {
      if (userId !== null) await addTo(userId, 0, change)
      shard = (shard + 1) % shards
      await addTo(userId === null ? owners.anonymous : owners.users, rowLocks ? shard : 0, change)
    },

    /**
     * Adds to the counters of several owners (null: anonymous uploads), always in the same order, so that two
     * transactions do not deadlock.
     */
    async addAll(changes: ReadonlyMap<string | null, Omit<Totals, 'users'>>): Promise<void> {
      const ofUsers = [...changes].filter(
        (entry): entry is [string, Omit<Totals, 'users'>] => entry[0] !== null,
      )
      for (const [userId, change] of ofUsers.sort(([a], [b]) => (a < b ? -1 : 1)))
        await addTo(userId, 0, change)
      shard = (shard + 1) % shards
      const all = ofUsers.reduce((sum, [, change]) => addTotals(sum, change), nothing)
      if (ofUsers.length > 0) await addTo(owners.users, rowLocks ? shard : 0, all)
      const anonymous = changes.get(null)
      if (anonymous !== undefined) await addTo(owners.anonymous, rowLocks ? shard : 0, anonymous)
    },

    /** Counts one user more (1) or less (-1). */
    addUsers: (by: 1 | -1) => addTo(owners.users, 0, { users: by }),

    /** Removes the counters of a user. */
    async remove(userId: string): Promise<void> {
      pending.get(db)?.delete(userId)
      await db.deleteFrom('totals').where('owner', '=', userId).execute()
    },

    hasFiles: () => hasFiles(db),

    async ofUser(userId: string): Promise<UserStats> {
      const { uploads, files, size } = withoutHidden(await totalsOf(db, userId), await hiddenOf(db, userId))
      return { uploads, files, totalSize: size }
    },

    async ofServer(): Promise<ServerStats> {
      const owned = withoutHidden(await totalsOf(db, owners.users), await hiddenOf(db))
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
