import { sql } from 'kysely'
import type { Db } from './query/prepared.ts'
import type { Schema } from './query/schema.ts'

/** How rows are found that belong to an account. */
interface Belonging {
  /** The column with the id of the account, or of an upload of the account. */
  readonly owner: string
  /** The columns that identify a row, in the order in which rows are read. */
  readonly order: readonly [string, ...string[]]
}

/** For each table, the rows that belong to an account; null if none do. */
const belongings = {
  users: { owner: 'id', order: ['id'] },
  sessions: { owner: 'userId', order: ['createdAt', 'id'] },
  tokens: { owner: 'userId', order: ['createdAt', 'id'] },
  cliLogins: { owner: 'userId', order: ['code'] },
  requests: { owner: 'userId', order: ['createdAt', 'id'] },
  webhooks: { owner: 'userId', order: ['createdAt', 'id'] },
  notificationSettings: { owner: 'userId', order: ['userId'] },
  pushSubscriptions: { owner: 'userId', order: ['createdAt', 'id'] },
  deliveries: { owner: 'userId', order: ['id'] },
  events: { owner: 'userId', order: ['createdAt', 'id'] },
  removals: { owner: 'userId', order: ['userId'] },
  totals: { owner: 'owner', order: ['shard'] },
  uploads: { owner: 'userId', order: ['id'] },
  files: { owner: 'uploadId', order: ['uploadId', 'position', 'id'] },
  resumables: { owner: 'uploadId', order: ['uploadId', 'fileId'] },
  claims: { owner: 'uploadId', order: ['uploadId', 'fileId', 'id'] },
  downloads: { owner: 'uploadId', order: ['uploadId', 'endedAt', 'id'] },
  aliases: { owner: 'uploadId', order: ['uploadId', 'alias'] },
  /** Keys are digests. */
  budgets: { owner: 'key', order: ['key'] },
  /** Keys are digests, of a network among others. */
  attempts: null,
  /** Pictures of contents, which no other table has either. */
  previews: null,
  /** Sums of the whole service. */
  dailyFigures: null,
  instances: null,
  settings: null,
} as const satisfies Readonly<Record<keyof Schema, Belonging | null>>

/** The tables with rows that belong to accounts. */
export type AccountTable = {
  [Table in keyof Schema]: (typeof belongings)[Table] extends null ? never : Table
}[keyof Schema]

/** The number of rows that are in memory at once. */
const batch = 500

/** As `batch`, of ids alone: each page reads all ids of the account, so there are few. */
const idBatch = 50_000

export interface AccountReads {
  /** The rows of a table with one of some owners, ordered. */
  rows<Table extends AccountTable>(
    table: Table,
    owners: readonly string[],
  ): AsyncGenerator<Schema[Table], undefined>
  /** The ids of the uploads of a user in batches, in their order. */
  uploadIds(userId: string): AsyncIterable<readonly string[]>
  /** Uploads with these ids, in the order of the ids. */
  uploads(ids: readonly string[]): AsyncGenerator<Schema['uploads'], undefined>
}

/** Reads all columns of the rows that belong to accounts, so that a new column is never left out. */
export function accountReads(db: Db): AccountReads {
  return {
    rows: (table, owners) => rowsOf(db, { table, ...belongings[table], owners }),
    async *uploadIds(userId) {
      const { owner, order } = belongings.uploads
      const ids = {
        table: 'uploads',
        columns: ['id'],
        owner,
        order,
        owners: [userId],
        size: idBatch,
      } as const
      let found: string[] = []
      for await (const { id } of rowsOf(db, ids)) {
        found.push(id)
        if (found.length < batch) continue
        yield found
        found = []
      }
      if (found.length > 0) yield found
    },
    uploads: (ids) => rowsOf(db, { table: 'uploads', owner: 'id', order: ['id'], owners: ids }),
  }
}

interface Selection<Table extends keyof Schema> extends Belonging {
  readonly table: Table
  /** All by default. */
  readonly columns?: readonly string[]
  readonly owners: readonly string[]
  readonly size?: number
}

async function* rowsOf<Table extends keyof Schema>(
  db: Db,
  { table, columns, owner, order, owners, size = batch }: Selection<Table>,
): AsyncGenerator<Schema[Table], undefined> {
  const selected = columns === undefined ? sql`*` : sql.join(columns.map((column) => sql.ref(column)))
  const key = sql.join(order.map((column) => sql.ref(column)))
  let last: Readonly<Record<string, unknown>> | undefined
  for (;;) {
    const beyond =
      last === undefined
        ? sql``
        : // The tuple comparison implies the first condition, which MySQL looks up in an index.
          sql`and ${sql.ref(order[0])} >= ${valueOf(last, order[0])}
            and (${key}) > (${sql.join(order.map((column) => valueOf(last, column)))})`
    const { rows } = await sql<Schema[Table]>`
      select ${selected} from ${sql.table(table)}
      where ${sql.ref(owner)} in (${sql.join(owners)}) ${beyond}
      order by ${key} limit ${sql.lit(size)}`.execute(db)
    yield* rows
    if (rows.length < size) return
    last = rows.at(-1) as Readonly<Record<string, unknown>> | undefined
  }
}

const valueOf = (row: Readonly<Record<string, unknown>> | undefined, column: string) => sql.val(row?.[column])
