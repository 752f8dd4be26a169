import { printableJson } from '@svc/terminal'
import { accountBudgetKeys } from '../core/limits/budgets.ts'
import type { AccountReads, AccountTable } from '../metadata/account-reads.ts'
import type { Schema } from '../metadata/query/schema.ts'

type Columns<Table extends AccountTable> = Readonly<Partial<Record<keyof Schema[Table], string>>>

/**
 * Columns that are left out, with the reasons. All others are in the data of an account, also those that later versions add.
 */
const leftOut: { readonly [Table in AccountTable]?: Columns<Table> } = {
  users: { passwordHash: 'secret' },
  tokens: { tokenHash: 'secret' },
  cliLogins: { code: 'secret for five minutes', secretHash: 'secret' },
  requests: {
    tokenHash: 'secret',
    passwordHash: 'secret',
    wrappedIdentity: 'a private key, whose passphrase can be guessed',
    passkeyIdentities: 'private keys',
  },
  webhooks: { secret: 'secret', previousSecret: 'secret' },
  pushSubscriptions: { endpoint: 'secret', p256dh: 'a key', auth: 'secret' },
  uploads: { tokenHash: 'secret', passwordHash: 'secret', requestTokenHash: 'secret' },
  resumables: { session: 'access to the data store' },
}

/** The tables whose rows are lists of the data, after the uploads. */
const lists = [
  'sessions',
  'tokens',
  'cliLogins',
  'requests',
  'notificationSettings',
  'webhooks',
  'pushSubscriptions',
  'deliveries',
  'events',
  'removals',
] as const satisfies readonly AccountTable[]

/** The tables whose rows are lists of each upload. */
const listsOfUpload = ['files', 'aliases', 'downloads', 'resumables', 'claims'] as const

type TableOfUpload = (typeof listsOfUpload)[number]

/** Columns that have JSON. */
const jsonColumns: ReadonlySet<string> = new Set(['payload'])

/**
 * Everything that the database has about an account, as the text of one JSON object, in chunks. It has the columns of the
 * tables, with times in RFC 3339. Memory is bounded: an account may have any number of uploads.
 * @param now ms
 */
export async function* accountData(
  reads: AccountReads,
  user: Schema['users'],
  now: number,
): AsyncGenerator<string> {
  yield `{\n  "user": ${indented(described('users', user), 1)}`
  yield `,\n  "usage": ${indented(await usageOf(reads, user.id), 1)}`
  yield `,\n  "budgets": ${indented(await usedBudgets(reads, user.id, now), 1)}`
  for (const table of lists) {
    yield `,\n  "${table}": `
    yield* list(descriptions(table, reads.rows(table, [user.id])))
  }
  yield ',\n  "uploads": '
  yield* list(uploadsOf(reads, user.id))
  yield '\n}\n'
}

/** What the uploads of a user count. */
async function usageOf(reads: AccountReads, userId: string) {
  const usage = { uploads: 0, files: 0, size: 0 }
  for await (const shard of reads.rows('totals', [userId]))
    for (const name of ['uploads', 'files', 'size'] as const) usage[name] += shard[name]
  return usage
}

/** What a user has used of the budgets of the current hour. */
async function usedBudgets(reads: AccountReads, userId: string, now: number) {
  const names = accountBudgetKeys(userId, now)
  const used: Record<string, number> = {}
  for await (const row of reads.rows('budgets', [...names.keys()])) {
    const name = names.get(row.key)
    if (name !== undefined) used[name] = row.used
  }
  return used
}

async function* descriptions<Table extends AccountTable>(table: Table, rows: AsyncIterable<Schema[Table]>) {
  for await (const row of rows) yield described(table, row)
}

/** The uploads of a user, each with its lists. Uploads and lists are read in parallel, in the order of the uploads. */
async function* uploadsOf(reads: AccountReads, userId: string) {
  for await (const ids of reads.uploadIds(userId)) {
    const readers = listsOfUpload.map((table) => [table, readerOf(table, reads.rows(table, ids))] as const)
    for await (const upload of reads.uploads(ids)) {
      const ofUpload: Record<string, unknown> = {}
      for (const [table, rowsOf] of readers) ofUpload[table] = await rowsOf(upload.id)
      yield { ...described('uploads', upload), ...ofUpload }
    }
  }
}

/** Reads the rows of one upload after the other. */
function readerOf<Table extends TableOfUpload>(
  table: Table,
  rows: AsyncGenerator<Schema[Table], undefined>,
): (uploadId: string) => Promise<readonly object[]> {
  let next: IteratorResult<Schema[Table], undefined> | undefined
  return async (uploadId) => {
    const found: object[] = []
    next ??= await rows.next()
    while (next.done !== true && next.value.uploadId === uploadId) {
      found.push(described(table, next.value))
      next = await rows.next()
    }
    return found
  }
}

/** A row without what is left out. */
function described<Table extends AccountTable>(table: Table, row: Schema[Table]): Record<string, unknown> {
  const without: Readonly<Record<string, string | undefined>> = leftOut[table] ?? {}
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => without[column] === undefined)
      .map(([column, value]) => [column, readable(column, value)]),
  )
}

function readable(column: string, value: unknown): unknown {
  // 0 is not a time.
  if (/(?:At|Until)$/.test(column) && typeof value === 'number')
    return value === 0 ? null : new Date(value).toISOString()
  return jsonColumns.has(column) && typeof value === 'string' ? parsed(value) : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function* list(values: AsyncIterable<object>): AsyncGenerator<string> {
  let separator = ''
  yield '['
  for await (const value of values) {
    yield `${separator}\n    ${indented(value, 2)}`
    separator = ','
  }
  yield separator === '' ? ']' : '\n  ]'
}

const indented = (value: unknown, depth: number): string =>
  printableJson(value).replaceAll('\n', `\n${'  '.repeat(depth)}`)
