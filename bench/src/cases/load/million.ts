import { rm } from 'node:fs/promises'
import path from 'node:path'
import {
  generatedFiles,
  generatedUser,
  manyUploads,
  type ManyUploads,
} from '../../../../scripts/many-uploads.ts'
import { freePort } from '../../../../scripts/test-servers/free-ports.ts'
import { missingProgramsOf } from '../../../../scripts/test-servers/kinds.ts'
import { accountSettings, admin, signIn, signInAs } from '../../account.ts'
import type { Bench } from '../../bench.ts'
import {
  newDatabase,
  storeSmallFiles,
  writeExport,
  type EmptyDatabase,
} from '../../large-data/large-database.ts'
import { listRows } from '../../large-data/lists.ts'
import { deletionRows, expiryRows } from '../../large-data/removals.ts'
import { timeInSeconds } from '../../measure.ts'
import { endedProcessorSeconds } from '../../processes/processor.ts'
import type { Case, Row } from '../../results/rows.ts'
import {
  newServerSetup,
  runCommand,
  startServerWith,
  type ServerSetup,
  type ServerProcess,
} from '../../processes/server-process.ts'

const users = 10_000
const maxSeconds = 60
const day = 86_400_000

/** Seconds until the first cleanup of a server: longer than the measurements before it. */
const firstCleanup = 25

interface Stage {
  readonly bench: Bench
  readonly database: EmptyDatabase
  readonly setup: ServerSetup
  /** Address of the metrics of a server. */
  readonly metrics: string
  /** The content of the database at the start. */
  readonly many: ManyUploads
  readonly rows: Row[]
}

/** A database with a million uploads: the time to fill, to read and to clean it, and its size. */
export const million: Case<Bench> = {
  name: 'million',
  needsTools: false,
  isLong: true,
  async run(bench) {
    const reason = bench.database === 'sqlite3' ? null : missingProgramsOf(bench.database)
    if (reason !== null) return [{ kind: 'unmeasured', what: bench.database, reason }]
    await using database = await newDatabase(bench)
    const port = String(await freePort())
    const setup = await newServerSetup(bench, {
      ...accountSettings,
      ...database.settings,
      SVCD_METRICS_PORT: port,
      SVCD_CLEANING_INTERVAL_STR: '1d',
    })
    const many = { uploads: bench.uploads, users, now: Date.now() }
    const stage = {
      bench,
      database,
      setup,
      metrics: `http://127.0.0.1:${port}/metrics`,
      many,
      rows: [] as Row[],
    }
    await measureCommands(stage)
    await measureRequests(stage)
    await measureExpiry(stage)
    return stage.rows
  },
}

async function measureCommands({ bench, database, setup, many, rows }: Stage): Promise<void> {
  const { signal } = bench
  const count = many.uploads.toLocaleString('en')
  const time = async (what: string, args: readonly string[], atMost?: number) => {
    const before = await endedProcessorSeconds()
    const value = await timeInSeconds(() => runCommand(setup, args, signal))
    const processor = (await endedProcessorSeconds()) - before
    rows.push({ kind: 'measurement', what, unit: 's', value, ...(atMost !== undefined && { atMost }) })
    rows.push({ kind: 'measurement', what: `${what}: processor time`, unit: 's', value: processor })
  }
  const file = path.join(setup.directory, 'many.jsonl')
  await writeExport(file, manyUploads(many))
  await time(`\`svcd import\` of ${count} uploads`, ['import', file], maxSeconds)
  await rm(file)
  await pushSize(`size of the database with ${count} uploads`, { database, rows })
  await time('`svcd export` of all', ['export', file], maxSeconds)
  await rm(file)
  await time('`svcd stats --recount`', ['stats', '--recount'])
  await time(`first \`svcd clean\`: a quarter of the uploads is blanked`, ['clean'])
}

async function pushSize(what: string, { database, rows }: Pick<Stage, 'database' | 'rows'>): Promise<void> {
  rows.push({ kind: 'measurement', what, unit: 'MB', value: (await database.size()) / 1e6 })
}

async function measureRequests({ bench, database, setup, metrics, many, rows }: Stage): Promise<void> {
  const { signal } = bench
  await database.settle()
  const files = [...generatedFiles(many, generatedUser(0))]
  storeSmallFiles(filesOf(setup), files)
  let opened: ServerProcess | undefined
  const value = await timeInSeconds(async () => {
    opened = await startServerWith(setup, signal)
  })
  if (opened === undefined) throw new Error('the server did not start')
  await using server = opened
  rows.push({ kind: 'measurement', what: 'start of the server, until it listens', unit: 's', value })
  const account = await signIn(server, admin, signal)
  const heavy = await signInAs(server, account, generatedUser(0), signal)
  rows.push(...(await listRows(server, { admin: account, heavy }, signal)))
  rows.push(...(await deletionRows(server, { admin: account, metrics, uploads: files.length }, signal)))
}

/** Another fifth of uploads that have already expired. */
async function measureExpiry({ bench, database, setup, metrics, many, rows }: Stage): Promise<void> {
  const { signal } = bench
  const uploads = Math.round((many.uploads / 5 / 3) * 4)
  const expired = { uploads, users: 0, now: many.now - 60 * day, first: many.uploads }
  const files = [...generatedFiles(expired, null)]
  const file = path.join(setup.directory, 'expired.jsonl')
  await writeExport(file, manyUploads(expired))
  await runCommand(setup, ['import', '--merge', file], signal)
  await rm(file)
  storeSmallFiles(filesOf(setup), files)
  const env = { ...setup.env, SVCD_CLEANING_INTERVAL_STR: `${String(firstCleanup)}s` }
  await using server = await startServerWith({ ...setup, env }, signal)
  rows.push(...(await expiryRows(server, { metrics, uploads: files.length }, signal)))
  await pushSize('size of the database after all of it', { database, rows })
}

const filesOf = ({ directory }: ServerSetup) => path.join(directory, 'files')
