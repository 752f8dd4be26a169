import type { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { startThread } from '../../../platform/start-thread.ts'
import { DatabaseError } from '../errors.ts'
import { toDatabaseError } from './busy-retry.ts'

/** To the thread. */
export interface ReadRequest {
  readonly number: number
  readonly query: Pick<CompiledQuery, 'sql' | 'parameters'>
}

/** From the thread, in the order of the requests. */
export interface ReadResponse {
  readonly number: number
  readonly rows?: readonly object[]
  readonly failure?: { readonly message: string; readonly errcode: number | null }
}

/**
 * A connection to a SQLite database in another thread, for long reads, so that requests do not wait for them. It sees
 * only committed data. The thread starts with the first read.
 * @param path of the database, which the main connection keeps open
 */
export function sqliteReader(path: string): Driver {
  const waiting = new Map<number, PromiseWithResolvers<readonly object[]>>()
  let thread: Worker | undefined
  let last = 0

  const settle = ({ number, rows, failure }: ReadResponse) => {
    const pending = waiting.get(number)
    waiting.delete(number)
    if (waiting.size === 0) thread?.unref()
    if (failure === undefined) pending?.resolve(rows ?? [])
    else {
      const { message, errcode } = failure
      pending?.reject(toDatabaseError(Object.assign(new Error(message), errcode !== null && { errcode })))
    }
  }
  const start = (): Worker => {
    const started = startThread({
      program: 'sqlite-reader-worker',
      neighbour: import.meta.url,
      name: 'database reader',
      workerData: path,
      onEnd: (cause) => {
        thread = undefined
        for (const { reject } of waiting.values()) reject(new DatabaseError('refused', cause))
        waiting.clear()
      },
    })
    started.on('message', settle)
    return started
  }
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const reader = (thread ??= start())
      const pending = Promise.withResolvers<readonly object[]>()
      if (waiting.size === 0) reader.ref()
      waiting.set(++last, pending)
      reader.postMessage({ number: last, query: { sql, parameters } } satisfies ReadRequest)
      return { rows: [...(await pending.promise)] as Row[] }
    },
    // eslint-disable-next-line require-yield -- the interface wants a generator; nothing here streams rows
    async *streamQuery() {
      await Promise.reject(new Error('rows are not streamed from SQLite'))
    },
  }
  const refuse = () => Promise.reject(new Error('the reader of the database has no transactions'))
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: async () => {
      await thread?.terminate()
    },
  }
}
