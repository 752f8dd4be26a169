import mysql from 'mysql2/promise'
import pg from 'pg'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFixture, type AccessFixture } from '../access/fixture/fixture.ts'
import { describeOn, networkKinds, newDatabase } from '../support/databases/network-databases.ts'
import { manualClock } from '../support/clocks/manual-clock.ts'
import { queryWatcher } from '../support/databases/watched-queries.ts'
import { exerciseRoutes } from './exercise.ts'
import { fillDatabase, serverDirectory } from './large-database.ts'
import { collectStatements, isExcused, largeTables } from './statements.ts'

/** Reads plans from a database. */
interface Explainer {
  /** The parts of a plan whose cost grows with the number of rows. */
  faultsOf(query: CompiledQuery): Promise<string[]>
  close(): Promise<void>
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

const stepsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(stepsOf)]

/**
 * Small tables are read completely because that is faster; a table that has to be is also read so where it is
 * disabled.
 */
async function explainPostgres(connectionString: string): Promise<Explainer> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('vacuum analyze')
  await client.query('set enable_seqscan = off')
  return {
    async faultsOf({ sql, parameters }) {
      const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: Plan }] }>(
        `explain (format json) ${sql}`,
        [...parameters],
      )
      return rows
        .flatMap((row) => stepsOf(row['QUERY PLAN'][0].Plan))
        .filter((step) => step['Node Type'] === 'Seq Scan')
        .map((step) => step['Relation Name'] ?? '')
        .filter((table) => largeTables.includes(table))
        .map((table) => `reads all of ${table}`)
    },
    close: () => client.end(),
  }
}

interface Step {
  readonly table: string | null
  readonly type: string | null
  readonly possible_keys: string | null
  readonly rows: number | null
}

async function explainMysql(uri: string, few: number): Promise<Explainer> {
  const connection = await mysql.createConnection({ uri })
  await connection.query('analyze table uploads, files, users')
  return {
    async faultsOf({ sql, parameters }) {
      const [steps] = await connection.query(`explain ${sql}`, [...parameters])
      return (steps as Step[])
        .filter(({ table, type, rows, possible_keys: keys }) => {
          // With a table as small as here, a full scan may be faster; what matters is that an index exists.
          const isWhole = type === 'ALL' || (type === 'index' && !/ limit \?/.test(sql))
          return isWhole && keys === null && largeTables.includes(table ?? '') && (rows ?? 0) > few
        })
        .map(({ table, rows }) => `reads ${String(rows)} rows of ${String(table)}`)
    },
    close: () => connection.end(),
  }
}

const many = { uploads: 4_000, users: 1_000 }
/** The rows of a page, and a few more. */
const few = 500

for (const kind of networkKinds) {
  describeOn(kind, 'query plans', () => {
    const statements = collectStatements()
    let fixture: AccessFixture
    let explainer: Explainer
    beforeAll(async () => {
      const metadataBackend = await newDatabase(kind)
      const clock = manualClock()
      await fillDatabase(metadataBackend, { ...many, now: clock.now() })
      const databaseWatcher = queryWatcher((query) => {
        statements.add(query)
      })
      const directory = await serverDirectory()
      fixture = await openFixture({ directory, clock, databaseWatcher, config: { metadataBackend } })
      await exerciseRoutes(fixture)
      await fixture.main.clean()
      const { connectionString } = metadataBackend
      explainer = await (kind === 'postgres'
        ? explainPostgres(connectionString)
        : explainMysql(connectionString, few))
    }, 600_000)
    afterAll(async () => {
      await explainer.close()
      await fixture.close()
    })

    test('no statement of a request reads a whole table', async () => {
      const faults = []
      for (const query of statements.all().filter((statement) => !isExcused(statement))) {
        const found = await explainer.faultsOf(query)
        if (found.length > 0) faults.push({ sql: query.sql, found })
      }
      expect(statements.all().length).toBeGreaterThan(80)
      expect(faults).toEqual([])
    })
  })
}
