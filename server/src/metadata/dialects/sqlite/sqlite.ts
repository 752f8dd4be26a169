import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
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
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import type { MetadataDialect, RunSynchronously } from '../dialect.ts'
import { DatabaseError } from '../errors.ts'
import { markCommitted } from '../durable-plugin.ts'
import { toDatabaseError, isBusy, busyRetry } from './busy-retry.ts'
import { newFilePragma, writerPragmas } from './pragmas.ts'
import { sqliteRefusesWrites } from './refuses-writes.ts'
import { addLower, sqliteStatements } from './statements.ts'
import { sqliteThread } from './thread.ts'
import { walSync } from './wal-sync.ts'

/**
 * When a commit reaches the disk: before its result is returned, with a sync that waiting commits share (`group commit`) or
 * a separate sync (`each commit`); or when the operating system writes it (`none`).
 */
export type Durability = 'group commit' | 'each commit' | 'none'

type Access = 'read' | 'write' | 'read on a full disk'

interface SqliteOptions {
  /**
   * `read` changes nothing, and does not create the other files of SQLite. `read on a full disk` does so if there is no
   * space for these files.
   */
  readonly access?: Access
  readonly durability?: Durability
  /** Whether long reads and long work use connections in another thread. A database in memory has one connection. */
  readonly hasThread?: boolean
}

/** @param path path of the database file, or `:memory:` */
export function sqliteDialect(
  path: string,
  { access = 'write', durability = 'none', hasThread = false }: SqliteOptions = {},
): MetadataDialect {
  let opened: OpenDatabase | undefined
  const createIntrospector = (db: Kysely<unknown>) => new SqliteIntrospector(db)
  const createQueryCompiler = () => new SqliteQueryCompiler()
  const isFile = path !== ':memory:' && !path.startsWith('file:')
  return {
    version: `'SQLite ' || sqlite_version()`,
    time: null,
    statistics: {
      // Without statistics, SQLite prefers indexes.
      duringBulk: [],
      // A sample of a thousand rows of each index suffices.
      afterBulk: ['pragma analysis_limit = 1000', 'analyze'],
      routine: ['pragma optimize'],
    },
    bulkRemovals: `select 'drop index "' || name || '"' as removal, sql as definition from sqlite_schema
      where type = 'index' and tbl_name = 'uploads' and sql is not null`,
    jsonRows: null,
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () =>
      sqliteDriver(path, { access, durability }, (database) => {
        opened = database
      }),
    createIntrospector,
    createQueryCompiler,
    ...(hasThread && isFile && threadDialects(path)),
    capabilities: () =>
      Promise.resolve({
        partialIndexes: true,
        inlineReferences: true,
        indexesBelongToTables: false,
        tableOrder: 'by key on request',
        upsert: 'on conflict',
        freePages: 'incremental',
        checkpoints: 'in commits',
        rowLocks: false,
        lateralJoins: false,
        indexHints: false,
        bytesType: 'blob',
        textCollation: null,
        caseCollation: null,
      }),
    refusesWrites: () => (isFile ? sqliteRefusesWrites(path) : Promise.resolve(null)),
    weakSettings: () =>
      Promise.resolve(
        durability === 'none'
          ? ['FsyncUploads is off: with a power cut, commits of the last seconds are undone']
          : [],
      ),
    runSynchronously: (query, inTransaction) => opened?.runSynchronously(query, inTransaction),
    freeSpace: () => opened?.freeSpace() ?? Promise.resolve(Infinity),
    ...(durability === 'group commit' && { syncCommits: () => opened?.syncCommits() ?? Promise.resolve() }),
  }
}

function threadDialects(path: string): Pick<MetadataDialect, 'lists' | 'background'> {
  const thread = sqliteThread(path)
  const dialect = (createDriver: () => Driver): Dialect => ({
    createAdapter: () => new SqliteAdapter(),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  })
  return { lists: dialect(thread.reader), background: dialect(thread.writer) }
}

/** SQLite can roll back schema changes. With this adapter, Kysely runs all migrations in one transaction. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One connection over `node:sqlite`, which Kysely gives to one query or transaction at a time. */
function sqliteDriver(
  path: string,
  { access, durability }: Required<Pick<SqliteOptions, 'access' | 'durability'>>,
  onOpen: (opened: OpenDatabase) => void,
): Driver {
  let database: DatabaseSync | undefined
  let open: OpenDatabase | undefined
  const use = (opened: DatabaseSync, commits: Durability) => {
    addLower(opened)
    open = openDatabase(opened, commits)
    database = opened
    onOpen(open)
  }
  const close = async () => {
    // SQLite syncs the log when it closes the database.
    database?.close()
    await open?.close()
  }
  const run = (sql: string) => async (on: DatabaseConnection) => {
    await on.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    async init() {
      if (access === 'read') {
        use(openReadOnly(path), 'none')
        return
      }
      if (path !== ':memory:' && !path.startsWith('file:')) createPrivateFile(path)
      // `busyRetry` waits for other processes that write: SQLite's busy timeout would block the event loop.
      const opened = new DatabaseSync(path, { timeout: 0 })
      use(opened, durability)
      try {
        await busyRetry()(() => {
          if (numberOf(opened, 'page_count') === 0) opened.exec(newFilePragma)
          opened.exec(writerPragmas)
          opened.exec(`pragma synchronous = ${durability === 'each commit' ? 'full' : 'normal'}`)
          return { rows: [] }
        })
      } catch (error) {
        // Kysely does not destroy a driver whose `init` failed.
        await close()
        if (access !== 'read on a full disk' || !isFull(error)) throw error
        use(openReadOnly(path), 'none')
      }
    },
    acquireConnection: () =>
      open === undefined
        ? Promise.reject(new Error('the database is not open'))
        : Promise.resolve(open.connection),
    releaseConnection: () => Promise.resolve(),
    // A transaction takes the write lock at its start, so that its first write cannot fail after a read. A read-only
    // transaction sees the snapshot of its first read, and writers do not wait for it.
    beginTransaction: (on, { accessMode }) =>
      run(accessMode === 'read only' ? 'begin' : 'begin immediate')(on),
    commitTransaction: run('commit'),
    // On a full disk, SQLite rolls back by itself.
    rollbackTransaction: async (on) => {
      if (database?.isTransaction === true) await run('rollback')(on)
    },
    destroy: close,
  }
}

/**
 * Creates the file. It contains keys and hashes, so only its owner can read it; the other files of SQLite get the same
 * permissions.
 */
function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
}

const isFull = (error: unknown): boolean => error instanceof DatabaseError && error.kind === 'full'

/**
 * Opens a database that stays unchanged. If no process has it open, it is opened as immutable, because SQLite would
 * otherwise create files for locks.
 * @throws when there is no such file
 */
function openReadOnly(path: string): DatabaseSync {
  if (path === ':memory:') return new DatabaseSync(path)
  if (path.startsWith('file:')) return new DatabaseSync(path, { readOnly: true })
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (log !== undefined) {
    const database = new DatabaseSync(path, { readOnly: true })
    if (log.size > 0 || canRead(database)) return database
    database.close()
  }
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  return new DatabaseSync(address, { readOnly: true })
}

/** Whether the index of the log exists, or there is space for it. If not, no process has the database open. */
function canRead(database: DatabaseSync): boolean {
  try {
    database.exec('pragma schema_version')
    return true
  } catch (error) {
    if (isFull(toDatabaseError(error))) return false
    throw error
  }
}

interface OpenDatabase {
  readonly connection: DatabaseConnection
  readonly runSynchronously: RunSynchronously
  readonly syncCommits: () => Promise<void>
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
  const retryWhileBusy = busyRetry()
  return {
    connection: {
      executeQuery: (query) => retryWhileBusy(() => run(query)),
      // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
      async *streamQuery() {
        await Promise.reject(new Error('rows are not streamed from SQLite'))
      },
    },
    runSynchronously(query, inTransaction) {
      // There is one connection: the statement would become part of the transaction of another caller.
      if (!inTransaction && database.isTransaction) return undefined
      // A change outside a transaction is a commit, which has to be synced.
      if (!inTransaction && log !== null && !statements.hasRows(query.sql)) return undefined
      try {
        return run(query)
      } catch (error) {
        if (isBusy(error)) return undefined
        throw toDatabaseError(error)
      }
    },
    async syncCommits() {
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
 * The free space of the disk, without that for pages that exist only in the log: a checkpoint will append them to the file.
 * @param path null for a database in memory
 */
async function freeSpaceOf(database: DatabaseSync, path: string | null): Promise<number> {
  if (path === null) return Infinity
  const pages = numberOf(database, 'page_count')
  const pageSize = numberOf(database, 'page_size')
  const [{ bavail, bsize }, { size }] = await Promise.all([statfs(path), stat(path)])
  return bavail * bsize - Math.max(0, pages * pageSize - size)
}

const numberOf = (database: DatabaseSync, pragma: 'page_count' | 'page_size'): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0])
