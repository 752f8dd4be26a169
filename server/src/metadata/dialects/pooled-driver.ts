import { setImmediate as nextIteration, setTimeout as wait } from 'node:timers/promises'
import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  QueryResult,
  RootOperationNode,
  TransactionSettings,
} from 'kysely'
import { invalidRequest } from '../../domain/errors.ts'
import type { NetworkDatabaseOptions } from './dialect.ts'
import { retry, needsReconnect, DatabaseError, NoFreeConnection, type DatabaseErrorKind } from './errors.ts'

/** A connection of a pool. */
export interface Client {
  query(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>
  release(how: 'kept' | 'destroyed'): void
}

/** The pool of the client library of one database. */
export interface Pool {
  /** @throws NoFreeConnection when all were used for too long, or an error of the library */
  acquire(): Promise<Client>
  /** Classifies an error of the library by its outcome. */
  kindOf(error: unknown): DatabaseErrorKind
  /** Whether a schema change failed because it was applied before. Absent if schema changes are transactional. */
  isAlreadyApplied?(client: Client, change: RootOperationNode, error: unknown): Promise<boolean>
  /** Statements that begin a transaction. */
  begin(settings: TransactionSettings): readonly string[]
  end(): Promise<void>
}

interface PooledConnection extends DatabaseConnection {
  run(sql: string): Promise<void>
  begin(statements: readonly string[]): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

/**
 * A driver over a pool. It retries when that is safe: single statements after a conflict; on another connection, reads
 * outside a transaction after a lost one, and single statements that a standby refused.
 */
export function pooledDriver(open: () => Promise<Pool>, options: NetworkDatabaseOptions): Driver {
  let pool: Pool | undefined
  const ours = (connection: DatabaseConnection) => connection as PooledConnection
  return {
    async init() {
      pool ??= await open()
      await waitUntilUp(pool, options)
    },
    acquireConnection: async () => {
      if (pool === undefined) throw new Error('the database is not open')
      return connectionOf(pool, await acquireClient(pool), options.statementTimeout)
    },
    beginTransaction: async (connection, settings) => ours(connection).begin(pool?.begin(settings) ?? []),
    commitTransaction: (connection) => ours(connection).commit(),
    rollbackTransaction: (connection) => ours(connection).rollback(),
    releaseConnection: (connection) => {
      ours(connection).release()
      return Promise.resolve()
    },
    destroy: async () => {
      await pool?.end()
    },
  }
}

const retryMs = 250
const noticeMs = 5_000

/**
 * Waits for a database that is still starting.
 * @throws DatabaseError when it does not start in time
 */
async function waitUntilUp(pool: Pool, { startTimeout, onWaiting }: NetworkDatabaseOptions): Promise<void> {
  for (let waited = 0; ; waited += retryMs) {
    try {
      const client = await pool.acquire()
      client.release('kept')
      return
    } catch (error) {
      if (pool.kindOf(error) !== 'lost') throw error
      if (waited >= startTimeout) throw new DatabaseError('refused', error)
      if (waited % noticeMs === 0) onWaiting(error)
    }
    await wait(retryMs)
  }
}

async function acquireClient(pool: Pool): Promise<Client> {
  try {
    return await pool.acquire()
  } catch (error) {
    if (error instanceof NoFreeConnection) throw new DatabaseError('busy', error)
    if (pool.kindOf(error) === 'lost') throw new DatabaseError('refused', error)
    throw error
  }
}

function connectionOf(pool: Pool, first: Client, statementTimeout: number): PooledConnection {
  let client = first
  let state: 'idle' | 'transaction' | 'broken' | 'released' = 'idle'

  /** @throws DatabaseError */
  const query = async (sql: string, parameters: readonly unknown[], timeout: number) => {
    if (state === 'broken' || state === 'released')
      throw new DatabaseError('lost', new Error('the connection was lost before'))
    try {
      return await withTimeout(client.query(sql, parameters), timeout)
    } catch (error) {
      const kind = error instanceof StatementTimeout ? 'lost' : pool.kindOf(error)
      if (kind === 'other') throw error
      if (needsReconnect(kind)) {
        state = 'broken'
        // In the next iteration of the event loop, connections that were lost at the same moment have left the pool, so a
        // retry gets none of them.
        await nextIteration()
      }
      throw new DatabaseError(kind, error)
    }
  }
  const release = () => {
    if (state === 'released') return
    client.release(state === 'idle' ? 'kept' : 'destroyed')
    state = 'released'
  }
  const reconnect = async () => {
    if (state === 'broken') release()
    if (state !== 'released') return
    client = await acquireClient(pool)
    state = 'idle'
  }
  const run = async (sql: string) => {
    await query(sql, [], statementTimeout)
  }
  return {
    run,
    async executeQuery<Row>({ sql, parameters, query: node }: CompiledQuery): Promise<QueryResult<Row>> {
      rejectNul(parameters)
      const timeout = limitedStatements.has(node.kind) ? statementTimeout : 0
      const once = () => query(sql, parameters, timeout) as Promise<QueryResult<Row>>
      if (state === 'transaction') return once()
      const isRead = node.kind === 'SelectQueryNode'
      let mayReconnect = isRead
      return retry(async () => {
        if (mayReconnect) await reconnect()
        try {
          return await once()
        } catch (error) {
          mayReconnect ||= error instanceof DatabaseError && error.kind === 'read-only'
          // After a lost connection, it is unknown whether the change was committed.
          if (!isRead && error instanceof DatabaseError && error.kind === 'lost')
            throw new DatabaseError('undecided', error.cause)
          if (await pool.isAlreadyApplied?.(client, node, error)) return { rows: [] }
          throw error
        }
      })
    },
    // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
    async *streamQuery() {
      await Promise.reject(new Error('rows are not streamed'))
    },
    async begin(statements) {
      await retry(async () => {
        await reconnect()
        for (const statement of statements) await run(statement)
      })
      state = 'transaction'
    },
    async commit() {
      try {
        await run('commit')
        state = 'idle'
      } catch (error) {
        if (error instanceof DatabaseError && error.kind === 'lost')
          throw new DatabaseError('undecided', error.cause)
        throw error
      }
    },
    async rollback() {
      if (state !== 'transaction') return
      try {
        await run('rollback')
        state = 'idle'
      } catch {
        // Closing the connection also rolls back.
        state = 'broken'
      }
    },
    release,
  }
}

/** Statements with a time limit. */
const limitedStatements: ReadonlySet<string> = new Set([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
])

class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'
}

async function withTimeout<Result>(work: Promise<Result>, timeout: number): Promise<Result> {
  if (timeout === 0) return work
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(new StatementTimeout(`the database did not respond within ${String(timeout)} ms`))
  }, timeout)
  try {
    return await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** PostgreSQL cannot store this character in a text, so it is rejected for every database. */
function rejectNul(parameters: readonly unknown[]): void {
  if (parameters.some((value) => typeof value === 'string' && value.includes('\0')))
    throw invalidRequest('a text may not contain the character NUL')
}
