import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MetadataBackendConfig } from '../../src/config/config.ts'
import { budgets } from '../../src/core/limits/budgets.ts'
import { budgetKeyOf } from '../../src/domain/access/budget-key.ts'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import type { Schema } from '../../src/metadata/query/schema.ts'
import { openMetadataStore, type MetadataStore } from '../../src/metadata/store.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { fileRecord, uploadRecord } from '../support/databases/records.ts'
import { emptyDirectory } from '../support/servers/svcd.ts'
import { svcd } from './command-line.ts'
import { userRecord } from './records.ts'

/** Tables without a row of an account, each with its reason. */
const tablesOfNobody: Readonly<Record<string, string>> = {
  attempts: 'keys are digests that name no account',
  dailyFigures: 'sums of the whole service',
  instances: 'of the server',
  previews: 'contents of files, like the bytes',
  settings: 'of the server',
}

/** Columns that are not printed, each with its reason. */
const columnsLeftOut: Readonly<Record<string, string>> = {
  'users.passwordHash': 'secret',
  'tokens.tokenHash': 'secret',
  'cliLogins.code': 'secret',
  'cliLogins.secretHash': 'secret',
  'requests.tokenHash': 'secret',
  'requests.passwordHash': 'secret',
  'requests.wrappedIdentity': 'secret',
  'requests.passkeyIdentities': 'secret',
  'webhooks.secret': 'secret',
  'webhooks.previousSecret': 'secret',
  'pushSubscriptions.endpoint': 'secret',
  'pushSubscriptions.p256dh': 'key',
  'pushSubscriptions.auth': 'secret',
  'uploads.tokenHash': 'secret',
  'uploads.passwordHash': 'secret',
  'uploads.requestTokenHash': 'secret',
  'resumables.session': 'access to the data store',
  'totals.shard': 'shards are added up',
  'totals.users': 'of the row of all users',
  'totals.owner': 'the id of the user',
  'budgets.key': 'a digest',
  'budgets.until': 'the end of the current hour',
  'budgets.used': 'under the names of the budgets, in the data of Ann',
}

interface Column {
  readonly table: string
  readonly name: string
  readonly kind: 'text' | 'number' | 'bytes'
}

async function columnsOf(db: Kysely<Schema>): Promise<readonly Column[]> {
  const tables = await db.introspection.getTables()
  return tables.flatMap(({ name: table, columns }) =>
    columns.map(({ name, dataType }): Column => {
      if (/char|text/i.test(dataType)) return { table, name, kind: 'text' }
      return { table, name, kind: /int/i.test(dataType) ? 'number' : 'bytes' }
    }),
  )
}

let counted = 0
/** A text that occurs nowhere else, and fits into every column. */
const newText = () => `q${String((counted += 1)).padStart(5, '0')}z`

/** Tables come before those that refer to them. */
const firstTables = ['users', 'requests', 'uploads', 'files']
const placeOf = (table: string) =>
  firstTables.includes(table) ? firstTables.indexOf(table) : firstTables.length

/**
 * Adds a row of a user to every table, with a different text in each column.
 * @returns the texts, by table and column
 */
async function plant(
  db: Kysely<Schema>,
  columns: readonly Column[],
  userId: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = { 'users.id': userId, 'requests.id': newText(), 'uploads.id': newText(), 'files.id': newText() }
  const references: Readonly<Record<string, string>> = {
    userId,
    owner: userId,
    requestId: ids['requests.id'],
    uploadId: ids['uploads.id'],
    fileId: ids['files.id'],
  }
  const planted = new Map<string, string>()
  const valueOf = ({ table, name, kind }: Column): unknown => {
    if (kind === 'number') return name === 'removedAt' ? null : 1
    if (kind === 'bytes') return Buffer.from(newText())
    const place = `${table}.${name}`
    const text = ids[place as keyof typeof ids] ?? references[name] ?? newText()
    planted.set(place, text)
    return text
  }
  const byTable = [...Map.groupBy(columns, ({ table }) => table)]
  for (const [table, ofTable] of byTable.toSorted(([a], [b]) => placeOf(a) - placeOf(b)))
    await sql`
      insert into ${sql.table(table)} (${sql.join(ofTable.map(({ name }) => sql.ref(name)))})
      values (${sql.join(ofTable.map(valueOf))})`.execute(db)
  return planted
}

const settingsOf = ({ driver, connectionString }: MetadataBackendConfig) => ({
  SVCD_METADATA_BACKEND_CONFIG_DRIVER: driver,
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
})

/** @param newConfig the configuration of an empty database */
function userDataSuite(newConfig: () => Promise<MetadataBackendConfig>): void {
  let directory: string
  let config: MetadataBackendConfig
  beforeAll(async () => {
    directory = await emptyDirectory()
    config = await newConfig()
  })
  const run = (...args: string[]) => svcd(directory, args, { environment: settingsOf(config) })
  const inStore = async (work: (store: MetadataStore) => Promise<unknown>) => {
    const store = await openMetadataStore(await openDialect(config, 'service', () => undefined))
    try {
      await work(store)
    } finally {
      await store.close()
    }
  }

  test('every text of a user is printed, except secrets, and none of others', async () => {
    await inStore(() => Promise.resolve())
    const db = new Kysely<Schema>({ dialect: await openDialect(config, 'bulk', () => undefined) })
    const columns = await columnsOf(db)
    const planted = await plant(db, columns, 'local:bob')
    const foreign = await plant(db, columns, 'local:eve')
    await db.destroy()

    const { status, output, stderr } = await run('user', 'data', 'bob')
    expect([status, stderr]).toEqual([0, ''])
    const isPrinted = ({ table, name }: Column) =>
      !(table in tablesOfNobody) && !(`${table}.${name}` in columnsLeftOut)
    const missing = columns.filter((column) => {
      const text = planted.get(`${column.table}.${column.name}`)
      if (!isPrinted(column)) return false
      return text === undefined ? !output.includes(`"${column.name}": `) : !output.includes(`"${text}"`)
    })
    expect(missing).toEqual([])
    // References name what is printed elsewhere.
    const names = new Set(
      columns.filter(isPrinted).map((column) => planted.get(`${column.table}.${column.name}`)),
    )
    const leaked = [...planted].filter(([, text]) => !names.has(text) && output.includes(text))
    expect(leaked).toEqual([])
    expect([...foreign].filter(([, text]) => output.includes(text))).toEqual([])
    expect(() => JSON.parse(output) as unknown).not.toThrow()
  })

  test('uploads have their files, page by page, and used budgets their names', async () => {
    const user = userRecord('ann')
    const uploads = Array.from({ length: 1_201 }, () => uploadRecord({ userId: user.id, expireAt: null }))
    await inStore(async (store) => {
      const limits = { uploads: 9, files: 9, bytes: 9, cliCodes: 9, passwordUploads: 9, qrCodes: 9 }
      const used = budgets({
        limits,
        clock: manualClock(),
        log: { warn: () => undefined },
        shared: store.budgets,
      })
      used.spend(budgetKeyOf({ user }, '192.0.2.1'), 'bytes', 7)
      await used.write()
      await store.transaction(async (transaction) => {
        await transaction.users.insert(user)
        for (const [place, upload] of uploads.entries()) {
          await transaction.uploads.insert(upload)
          for (let position = 0; position < place % 3; position += 1)
            await transaction.files.insert(
              fileRecord(upload, { position, fileName: `${String(position)}.txt` }),
            )
        }
      })
    })
    const { output } = await run('user', 'data', 'local:ann')
    const data = JSON.parse(output) as {
      readonly user: object
      readonly uploads: readonly { readonly id: string; readonly files: readonly { fileName: string }[] }[]
    }
    const createdAt = new Date(user.createdAt).toISOString()
    expect(data).toMatchObject({ user: { id: 'local:ann', createdAt }, budgets: { bytes: 7 } })
    expect(new Map(data.uploads.map(({ id, files }) => [id, files.map(({ fileName }) => fileName)]))).toEqual(
      new Map(uploads.map(({ id }, place) => [id, ['0.txt', '1.txt'].slice(0, place % 3)])),
    )
    expect(data.uploads).toHaveLength(1_201)
  })

  test('of an unknown user are refused', async () => {
    expect(await run('user', 'data', 'absent')).toEqual({
      status: 1,
      output: '',
      stderr: 'the user local:absent does not exist',
    })
  })
}

describe('the data of a user (SQLite)', () => {
  userDataSuite(async () => ({
    driver: 'sqlite3',
    connectionString: join(await emptyDirectory(), 'svc.db'),
    fsync: false,
  }))
})

for (const kind of networkKinds)
  describeOn(kind, 'the data of a user', () => {
    userDataSuite(() => newDatabase(kind))
  })
