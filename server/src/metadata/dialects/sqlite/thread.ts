import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'
import { startThread, type Thread } from '../../../platform/start-thread.ts'
import { markCommitted } from '../durable-plugin.ts'
import { DatabaseError } from '../errors.ts'
import { busyRetry } from './busy-retry.ts'

/** The connections of the thread: for long reads, and for long work such as a cleanup. */
export type ThreadConnection = 'reader' | 'writer'

/** A message to the thread. */
export interface ThreadRequest {
  readonly number: number
  readonly connection: ThreadConnection
  readonly query: Pick<CompiledQuery, 'sql' | 'parameters'>
}

/** A message from the thread, in the order of the requests. */
export type ThreadResponse = { readonly number: number } & ThreadOutcome

export type ThreadOutcome = ThreadResult | ThreadFailure

interface ThreadResult {
  readonly rows: readonly object[]
  readonly numAffectedRows?: bigint
  readonly isCommitted: boolean
  readonly failure?: undefined
}

interface ThreadFailure {
  readonly failure: { readonly message: string; readonly errcode: number | null }
}

/** Connections to a SQLite database in another thread, so that requests do not wait for their statements. */
export interface SqliteThread {
  /** Sees only committed data. */
  readonly reader: () => Driver
  readonly writer: () => Driver
}

/**
 * The first statement starts the thread. After a failure of the thread, the next statement starts it again.
 * @param path path of the database, which the main connection keeps open
 */
export function sqliteThread(path: string): SqliteThread {
  const waiting = new Map<number, PromiseWithResolvers<ThreadResult>>()
  let thread: Thread | undefined
  /** The thread with the open transaction, which ends with the thread. */
  let began: Thread | undefined
  let last = 0

  const rest = () => {
    if (waiting.size === 0 && began === undefined) thread?.markIdle()
  }

  const settle = (response: ThreadResponse) => {
    const pending = waiting.get(response.number)
    waiting.delete(response.number)
    rest()
    if (response.failure === undefined) {
      pending?.resolve(response)
      return
    }
    const { message, errcode } = response.failure
    pending?.reject(Object.assign(new Error(message), errcode !== null && { errcode }))
  }
  const start = (): Thread => {
    const started = startThread({
      program: 'sqlite-worker',
      neighbour: import.meta.url,
      name: 'database',
      workerData: path,
      onEnd: (cause) => {
        thread = undefined
        for (const { reject } of waiting.values()) reject(new DatabaseError('refused', cause))
        waiting.clear()
      },
    })
    started.worker.on('message', settle)
    return started
  }
  const run = (connection: ThreadConnection, { sql, parameters }: CompiledQuery): Promise<ThreadResult> => {
    const { worker, markBusy } = (thread ??= start())
    const pending = Promise.withResolvers<ThreadResult>()
    if (waiting.size === 0) markBusy()
    waiting.set(++last, pending)
    worker.postMessage({ number: last, connection, query: { sql, parameters } } satisfies ThreadRequest)
    return pending.promise
  }
  const close = async () => {
    await thread?.worker.terminate()
  }
  return {
    reader: () =>
      driverOf(
        connectionTo((query) => run('reader', query)),
        { ...noTransactions, close },
      ),
    writer: () => {
      const writer = connectionTo((query) => {
        if (began !== undefined && began !== thread)
          throw new DatabaseError('refused', 'its thread has ended')
        return run('writer', query)
      })
      const execute = (sql: string) => writer.executeQuery(CompiledQuery.raw(sql))
      return driverOf(writer, {
        async begin() {
          await execute('begin immediate')
          began = thread
        },
        async commit() {
          await execute('commit')
          began = undefined
          rest()
        },
        async rollback() {
          const isOpen = began === thread
          began = undefined
          if (isOpen) await execute('rollback')
          rest()
        },
        close,
      })
    },
  }
}

function connectionTo(run: (query: CompiledQuery) => Promise<ThreadResult>): DatabaseConnection {
  const retryWhileBusy = busyRetry()
  return {
    executeQuery: <Row>(query: CompiledQuery) =>
      retryWhileBusy(async (): Promise<QueryResult<Row>> => {
        const { rows, numAffectedRows, isCommitted } = await run(query)
        const result = { rows: [...rows] as Row[], ...(numAffectedRows !== undefined && { numAffectedRows }) }
        return isCommitted ? markCommitted(result) : result
      }),
    // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
    async *streamQuery() {
      await Promise.reject(new Error('rows are not streamed from SQLite'))
    },
  }
}

interface Transactions {
  readonly begin: () => Promise<void>
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
  readonly close: () => Promise<void>
}

const refuse = () => Promise.reject(new Error('the reader of the database has no transactions'))
const noTransactions = { begin: refuse, commit: refuse, rollback: refuse }

const driverOf = (
  connection: DatabaseConnection,
  { begin, commit, rollback, close }: Transactions,
): Driver => ({
  init: () => Promise.resolve(),
  acquireConnection: () => Promise.resolve(connection),
  beginTransaction: begin,
  commitTransaction: commit,
  rollbackTransaction: rollback,
  releaseConnection: () => Promise.resolve(),
  destroy: close,
})
