import type { CompiledQuery } from 'kysely'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDialect } from '../../src/metadata/open-dialect.ts'
import { openMetadataStore, type OpenMetadataStore } from '../../src/metadata/store.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { watchedQueries } from '../support/databases/watched-queries.ts'

/** Expired uploads, each with a file, as years of use leave them. */
const history = 20_000
const present = 100

/** The most rows that a statement for a few rows may read; far fewer than the history. */
const few = 500

interface Probe {
  /** Runs statements, and updates the statistics of the planner. */
  fill(statements: readonly string[]): Promise<void>
  run(statement: string): Promise<unknown>
  /** The rows that a statement reads; its changes are rolled back. */
  rowsRead(sql: string, parameters: readonly unknown[]): Promise<number>
  /** Those of them that it reads in tables, not only in indexes. */
  tableRowsRead(sql: string, parameters: readonly unknown[]): Promise<number>
  close(): Promise<void>
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const rowsOf = (plan: Plan, isCounted: (node: string) => boolean): number =>
  (isCounted(plan['Node Type'])
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((sum, part) => sum + rowsOf(part, isCounted), 0)

async function probePostgres(connectionString: string): Promise<Probe> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const read = async (
    sql: string,
    parameters: readonly unknown[],
    isCounted: (node: string) => boolean,
  ): Promise<number> => {
    await client.query('begin')
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    )
    await client.query('rollback')
    return rows[0] === undefined ? Number.NaN : rowsOf(rows[0]['QUERY PLAN'][0].Plan, isCounted)
  }
  return {
    async fill(statements) {
      for (const statement of statements) await client.query(statement)
      await client.query('vacuum analyze')
    },
    run: (statement) => client.query(statement),
    rowsRead: (sql, parameters) => read(sql, parameters, (node) => node.includes('Scan')),
    async tableRowsRead(sql, parameters) {
      // As in a table that is too large for it.
      await client.query('set enable_bitmapscan = off')
      return read(sql, parameters, (node) => node.includes('Scan') && node !== 'Index Only Scan')
    },
    close: () => client.end(),
  }
}

async function probeMysql(uri: string): Promise<Probe> {
  const connection = await mysql.createConnection({ uri })
  return {
    async fill(statements) {
      await connection.query(`set session sql_mode = 'ANSI_QUOTES'`)
      for (const statement of statements) await connection.query(statement)
      await connection.query('analyze table uploads, files, users')
    },
    run: (statement) => connection.query(statement),
    async rowsRead(sql, parameters) {
      await connection.query('begin')
      await connection.query('flush status')
      await connection.query(sql, [...parameters])
      const [rows] = await connection.query(`show session status like 'Handler_read%'`)
      await connection.query('rollback')
      const ofRows = (rows as { Variable_name: string; Value: string }[]).filter(
        ({ Variable_name: name }) => name !== 'Handler_read_rnd_deleted',
      )
      return ofRows.reduce((sum, { Value }) => sum + Number(Value), 0)
    },
    tableRowsRead: () => Promise.reject(new Error('MySQL does not tell them apart')),
    close: () => connection.end(),
  }
}

/** @param numbers a table of integers `n` */
const filling = (numbers: (from: number, to: number) => string) => [
  `insert into users ("id", "provider", "login", "name", "email", "admin", "maxFileSize", "maxUserSize", "maxTTL",
    "theme", "language", "usedSize", "createdAt") select concat('local:u', n), 'local', concat('u', n), '', '', 0,
    0, 0, 0, '', '', 0, n from ${numbers(1, 2_000)}`,
  `insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments", "e2ee",
    "address", "fileCount", "createdAt", "expireAt", "deletedAt", "userId", "size") select concat('u', n), '', 60, 0,
    0, 0, 0, '', '', '', 0, n, n + 60, case when n <= ${String(history)} then n + 70 end,
    case when n % 2 = 0 then 'local:u1' end, n % 7 from ${numbers(1, history + present)}`,
  `insert into files ("id", "uploadId", "position", "fileName", "fileSize", "type", "md5", "crc32", "status",
    "createdAt", "uploadedAt", "brokenDownloads", "instance") select concat('f', n), concat('u', n), 0, 'name', 1, '',
    '', 0, case when n <= ${String(history)} then 'deleted' when n % 10 = 0 then 'uploading' when n % 10 = 1 then
    'removed' else 'uploaded' end, n, n, 0, case when n % 10 = 0 then 'dead' end
    from ${numbers(1, history + present)}`,
]

const numbersIn = {
  postgres: (from: number, to: number) => `generate_series(${String(from)}, ${String(to)}) as n`,
  mysql: (from: number, to: number) =>
    `(select seq as n from seq_${String(from)}_to_${String(to)}) as numbers`,
}

for (const kind of networkKinds) {
  describeOn(kind, 'with a long history', () => {
    let store: OpenMetadataStore
    let probe: Probe
    let statements: CompiledQuery[] = []
    beforeAll(async () => {
      const config = await newDatabase(kind)
      const dialect = await openDialect(config, 'service', () => undefined)
      store = await openMetadataStore(watchedQueries(dialect, (query) => statements.push(query)))
      probe = await (kind === 'postgres' ? probePostgres : probeMysql)(config.connectionString)
      await probe.fill(filling(numbersIn[kind]))
    })
    afterAll(async () => {
      await store.close()
      await probe.close()
    })

    const now = history + 75
    const others = { aliveSince: 0, exceptInstance: 'me' }
    const page = (query: object = {}) => ({ limit: 20, order: 'desc' as const, ...query })
    const after = { after: { value: now, id: 'u' } }
    const cases: readonly (readonly [string, () => Promise<unknown>])[] = [
      ['an upload', () => store.uploads.find('u7')],
      ['its files', () => store.files.list('u7')],
      ['the files of some uploads', () => store.files.listOf(['u7', 'u8', 'u9'])],
      ['how many files some uploads have', () => store.files.countsOf(['u7', 'u8', 'u9'])],
      ['one file', () => store.files.find('u7', 'f7')],
      ['a claim', () => store.files.claim({ id: 'f20002', uploadId: 'u20002' }, 'c', 0, 90)],
      [
        'what a claim is renewed by',
        () => store.files.renewClaim({ id: 'f20002', uploadId: 'u20002' }, 'c', 100),
      ],
      ['a place', () => store.uploads.countFile('u20001', 1000)],
      [
        'a file that was received',
        () =>
          store.files.store({ id: 'f7', uploadId: 'u7' }, 'me', {
            fileSize: 1,
            type: '',
            md5: '',
            crc32: 0,
            uploadedAt: 0,
          }),
      ],
      ['quota', () => store.users.addUsageWithin('local:u1', 1, 100)],
      ['the uploads that have expired', () => store.uploads.expired(now, 20)],
      ['files that were abandoned', () => store.files.findAbandoned('uploading', others, '', 20)],
      ['files to delete', () => store.files.findAbandoned('removed', others, '', 20)],
      ['the first uploads of all', () => store.uploads.page({}, 'createdAt', page(), now)],
      ['the next ones', () => store.uploads.page({}, 'createdAt', page(after), now)],
      ['by their size', () => store.uploads.page({}, 'size', page(), now)],
      ['those of a user', () => store.uploads.page({ userId: 'local:u1' }, 'createdAt', page(), now)],
      ['those by their size', () => store.uploads.page({ userId: 'local:u1' }, 'size', page(), now)],
      ['those of a token', () => store.uploads.page({ userToken: 't' }, 'createdAt', page(), now)],
      ['what there is to remove of a user', () => store.uploads.idsOf('local:u1', 20)],
      ['the counters of a user', () => store.totals.ofUser('local:u1')],
      ['the counters of the server', () => store.totals.ofServer()],
      ['a session', () => store.sessions.findUser('s')],
      ['a token', () => store.tokens.findUser('t')],
      ['an attempt', () => store.attempts.increment('key', 10, 0)],
    ]

    test.each(cases)('expired rows are not read for %s', async (_case, work) => {
      statements = []
      await work()
      expect(statements).not.toEqual([])
      for (const { sql, parameters } of statements)
        expect([sql, await probe.rowsRead(sql, parameters)]).toEqual([
          sql,
          expect.toSatisfy((rows: number) => rows <= few) as number,
        ])
    })

    test('a cleanup among thousands of removed files reads only its next ones', async () => {
      await probe.fill([
        `insert into files ("id", "uploadId", "position", "fileName", "fileSize", "type", "md5", "crc32", "status",
          "createdAt", "brokenDownloads") select concat('g', n), 'u1', n, 'name', 1, '', '', 0, 'removed', n, 0
          from ${numbersIn[kind](50_001, 60_000)}`,
      ])
      statements = []
      expect(await store.files.findAbandoned('removed', others, 'f', 100)).toHaveLength(100)
      const [files] = statements
      expect(await probe.rowsRead(files?.sql ?? '', files?.parameters ?? [])).toBeLessThanOrEqual(few)
    })

    test('a cleanup that blanks thousands of uploads reads only its next ones', async () => {
      const batch = 1_000
      const [from, to] = [100_001, 120_000]
      const numbers = numbersIn[kind](from, to)
      await probe.fill([
        `insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments",
          "e2ee", "address", "fileCount", "createdAt", "userId", "size") select concat('u', n), '', 60, 0, 0, 0, 0,
          '', '', '', 1, n, 'local:u1', 1 from ${numbers}`,
        `insert into files ("id", "uploadId", "position", "fileName", "fileSize", "type", "md5", "crc32", "status",
          "createdAt", "brokenDownloads") select concat('f', n), concat('u', n), 0, 'name', 1, '', '', 0, 'uploaded',
          n, 0 from ${numbers}`,
      ])
      const removed = `between ${String(from)} and ${String(to)}`
      await probe.run(`update uploads set "deletedAt" = "createdAt" where "createdAt" ${removed}`)
      await probe.run(`update files set "status" = 'deleted' where "createdAt" ${removed}`)
      const expectNextOnly = async () => {
        statements = []
        const first = await store.uploadBatches.findUnblanked(undefined, batch)
        expect(await store.uploadBatches.findUnblanked(first.at(-1), batch)).toHaveLength(batch)
        expect(statements).toHaveLength(2)
        for (const { sql, parameters } of statements)
          expect([sql, await probe.rowsRead(sql, parameters)]).toEqual([
            sql,
            expect.toSatisfy((rows: number) => rows <= 4 * batch) as number,
          ])
      }
      // With the statistics of before the removal, and with new ones.
      await expectNextOnly()
      await probe.fill([])
      await expectNextOnly()
    })

    // MySQL counts no reads of an index alone.
    if (kind === 'postgres')
      test('a filter that few uploads of a user match reads the others in an index only', async () => {
        await probe.fill([
          `insert into uploads ("id", "tokenHash", "ttl", "extendTtl", "oneShot", "removable", "stream", "comments",
            "e2ee", "address", "fileCount", "createdAt", "expireAt", "userId", "size", "options")
            select concat('p', n), '', 60, 0, 0, 0, 0, repeat('a comment ', 80), '', '', 0, n,
            ${String(now + 60)}, concat('local:u', n % 8 + 1), n % 7,
            case when n % 1000 = 3 then 32 else 0 end from ${numbersIn[kind](1, 20_000)}
            order by md5(n::text)`,
        ])
        for (const sort of ['createdAt', 'size'] as const) {
          statements = []
          const { results } = await store.uploads.page({ userId: 'local:u4', e2ee: true }, sort, page(), now)
          expect(results.length).toBeGreaterThan(0)
          for (const { sql, parameters } of statements)
            expect(await probe.tableRowsRead(sql, parameters)).toBeLessThanOrEqual(few)
        }
      })
  })
}
