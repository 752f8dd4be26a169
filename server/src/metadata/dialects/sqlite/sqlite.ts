import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import type { MetadataDialect, RunSynchronously } from '../dialect.ts'
import { DatabaseError } from '../errors.ts'
import { markCommitted } from '../durable-plugin.ts'
import { failureOf, isBusy, busyRetry } from './busy-retry.ts'
import { sqliteReader } from './reader.ts'
import { addLower, sqliteStatements } from './statements.ts'
import { walSync } from './wal-sync.ts'

/**
 * When a commit is on the disk: before anybody hears of it, by a sync that all commits share which wait for one; by a sync of
 * each commit; or whenever the system writes it.
 */
export type Durability = 'group commit' | 'each commit' | 'none'

interface SqliteOptions {
  /** `read` changes nothing, and makes no file beside that of the database. */
  readonly access?: 'read' | 'write'
  readonly durability?: Durability
  /** Whether reads that take long have a connection and a thread of their own. A database in memory has one connection. */
  readonly readerThread?: boolean
}

/**
 * Free pages can be given back in a file that is new; one that has tables needs a `vacuum` for that.
 * The log grows as long as somebody reads one state, as an export does; afterwards the disk gets back what is above its
 * limit.
 */
const pragmas = `
  pragma auto_vacuum = incremental;
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma temp_store = memory;
  pragma cache_size = -16000;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`

/** @param path of the database file, or `:memory:` */
export function sqliteDialect(
  path: string,
  { access = 'write', durability = 'none', readerThread = false }: SqliteOptions = {},
): MetadataDialect {
  let opened: OpenDatabase | undefined
  const createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
  const createQueryCompiler = () => new SqliteQueryCompiler()
  const isFile = path !== ':memory:' && !path.startsWith('file:')
  return {
    version: `'SQLite ' || sqlite_version()`,
    time: null,
    statistics: {
      // A thousand rows of each index are enough to know it by.
      afterBulk: ['pragma analysis_limit = 1000', 'analyze'],
      routine: ['pragma optimize'],
    },
    uploadIndexes: `select name, sql as definition from sqlite_schema
      where type = 'index' and tbl_name = 'uploads' and sql is not null`,
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () =>
      sqliteDriver(path, { access, durability }, (database) => {
        opened = database
      }),
    createIntrospector,
    createQueryCompiler,
    ...(readerThread &&
      isFile && {
        reader: {
          createAdapter: () => new SqliteAdapter(),
          createDriver: () => sqliteReader(path),
          createIntrospector,
          createQueryCompiler,
        },
      }),
    traits: () =>
      Promise.resolve({
        partialIndexes: true,
        inlineReferences: true,
        indexesBelongToTables: false,
        tableOrder: 'by key on request',
        upsert: 'on conflict',
        freePages: 'incremental',
        rowLocks: false,
        textCollation: null,
        caseCollation: null,
      }),
    weakSettings: () =>
      Promise.resolve(
        durability === 'none'
          ? ['FsyncUploads is off: with a power cut, what was answered in the last seconds is undone']
          : [],
      ),
    runAtOnce: (query, inTransaction) => opened?.runAtOnce(query, inTransaction),
    freeSpace: () => opened?.freeSpace() ?? Promise.resolve(Infinity),
    ...(durability === 'group commit' && { durable: () => opened?.durable() ?? Promise.resolve() }),
  }
}

/** SQLite can roll back changes of a schema; told so, Kysely runs all migrations in one transaction. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection over `node:sqlite`; Kysely hands it to one query or transaction after the other. */
function sqliteDriver(
  path: string,
  { access, durability }: Required<Pick<SqliteOptions, 'access' | 'durability'>>,
  onOpen: (opened: OpenDatabase) => void,
): Driver {
  let database: DatabaseSync | undefined
  let open: OpenDatabase | undefined
  const use = (opened: DatabaseSync) => {
    open = openDatabase(opened, durability)
    database = opened
    onOpen(open)
  }
  const close = async () => {
    // It brings the log to the disk itself.
    database?.close()
    await open?.close()
  }
  const run = (sql: string) => async (on: DatabaseConnection) => {
    await on.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    async init() {
      if (access === 'read') {
        use(openToRead(path))
        return
      }
      if (path !== ':memory:' && !path.startsWith('file:')) makeForUs(path)
      // Waiting for another process's write is ours: SQLite's own waiting would stop the event loop.
      const opened = new DatabaseSync(path, { timeout: 0 })
      addLower(opened)
      use(opened)
      try {
        await busyRetry()(() => {
          opened.exec(pragmas)
          opened.exec(`pragma synchronous = ${durability === 'each commit' ? 'full' : 'normal'}`)
          return { rows: [] }
        })
      } catch (error) {
        // Kysely does not destroy a driver that failed to begin.
        await close()
        throw error
      }
    },
    acquireConnection: () =>
      open === undefined
        ? Promise.reject(new Error('the database is not open'))
        : Promise.resolve(open.connection),
    releaseConnection: () => Promise.resolve(),
    // With the write lock from the start, a transaction that first reads cannot fail as it turns to writing.
    // One that only reads sees the state of its first read to the end, and nobody who writes waits for it.
    beginTransaction: (on, { accessMode }) =>
      run(accessMode === 'read only' ? 'begin' : 'begin immediate')(on),
    commitTransaction: run('commit'),
    // A full disk has SQLite roll back by itself.
    rollbackTransaction: async (on) => {
      if (database?.isTransaction === true) await run('rollback')(on)
    },
    destroy: close,
  }
}

/** The file holds keys and hashes: one that is new is nobody else's. What SQLite puts beside it has the same rights. */
function makeForUs(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
}

/**
 * Where no process has the database open, it is told not to look for others: to do so, it would make files for them.
 * @throws when there is no such file
 */
function openToRead(path: string): DatabaseSync {
  if (path === ':memory:') return new DatabaseSync(path)
  if (path.startsWith('file:') || existsSync(`${path}-wal`)) return new DatabaseSync(path, { readOnly: true })
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return new DatabaseSync(address, { readOnly: true })
}

interface OpenDatabase {
  readonly connection: DatabaseConnection
  readonly runAtOnce: RunSynchronously
  readonly durable: () => Promise<void>
  readonly freeSpace: () => Promise<number>
  readonly close: () => Promise<void>
}

function openDatabase(database: DatabaseSync, durability: Durability): OpenDatabase {
  const path = database.location()
  const log = path === null || durability !== 'group commit' ? null : walSync(path)
  const statements = sqliteStatements(database)
  const run = <Row>(query: CompiledQuery): QueryResult<Row> => {
    const result = statements.run<Row>(query)
    const isCommitted = result.numAffectedRows !== undefined && !database.isTransaction
    return log !== null && isCommitted ? markCommitted(result) : result
  }
  const patiently = busyRetry()
  return {
    connection: {
      executeQuery: (query) => patiently(() => run(query)),
      // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
      async *streamQuery() {
        await Promise.reject(new Error('rows are not streamed from SQLite'))
      },
    },
    runAtOnce(query, inTransaction) {
      // There is one connection: what is asked of it meanwhile would become part of somebody else's transaction.
      if (!inTransaction && database.isTransaction) return undefined
      // A change outside a transaction is a commit, which has to be brought to the disk.
      if (!inTransaction && log !== null && !statements.hasRows(query.sql)) return undefined
      try {
        return run(query)
      } catch (error) {
        if (isBusy(error)) return undefined
        throw failureOf(error)
      }
    },
    async durable() {
      try {
        await log?.sync()
      } catch (error) {
        throw new DatabaseError('undecided', error)
      }
    },
    freeSpace: () => freeSpaceOf(database, path),
    close: () => log?.close() ?? Promise.resolve(),
  }
}

/**
 * What is in the log alone has its place in the file still to get: the file grows by so much when the log is brought there.
 * @param path null for a database in memory
 */
async function freeSpaceOf(database: DatabaseSync, path: string | null): Promise<number> {
  if (path === null) return Infinity
  const pages = Number(Object.values(database.prepare('pragma page_count').get() ?? {})[0])
  const pageSize = Number(Object.values(database.prepare('pragma page_size').get() ?? {})[0])
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(path), stat(path)])
  return bavail * bsize - Math.max(0, pages * pageSize - size)
}
