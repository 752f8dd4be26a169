import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { writerPragmas } from './pragmas.ts'
import { addLower, sqliteStatements, type SqliteStatements } from './statements.ts'
import type { ThreadConnection, ThreadOutcome, ThreadRequest, ThreadResponse } from './thread.ts'

const port = parentPort
if (port === null) throw new Error('the thread of the database must be started as a worker thread')

const path = String(workerData)

interface OpenConnection {
  readonly database: DatabaseSync
  readonly statements: SqliteStatements
}

const connections = new Map<ThreadConnection, OpenConnection>()

function open(name: ThreadConnection): OpenConnection {
  const isReader = name === 'reader'
  // The reader waits only while another process recovers the log. The writer retries in the main thread, because a wait here
  // would delay the reader.
  const database = new DatabaseSync(path, { readOnly: isReader, timeout: isReader ? 5_000 : 0 })
  database.exec(
    isReader
      ? 'pragma temp_store = memory; pragma cache_size = -16000'
      : `${writerPragmas} pragma synchronous = normal`,
  )
  addLower(database)
  const opened = { database, statements: sqliteStatements(database) }
  connections.set(name, opened)
  return opened
}

port.on('message', ({ number, connection, query }: ThreadRequest) => {
  port.postMessage({ number, ...run(connection, query) } satisfies ThreadResponse)
})

function run(name: ThreadConnection, query: ThreadRequest['query']): ThreadOutcome {
  try {
    const { database, statements } = connections.get(name) ?? open(name)
    // On a full disk, SQLite rolls back by itself.
    if (query.sql === 'rollback' && !database.isTransaction) return { rows: [], isCommitted: false }
    const { rows, numAffectedRows } = statements.run<object>(query)
    const isCommitted = numAffectedRows !== undefined && !database.isTransaction
    return { rows, isCommitted, ...(numAffectedRows !== undefined && { numAffectedRows }) }
  } catch (error) {
    // Structured cloning drops the code of an error.
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
    return { failure: { message: error instanceof Error ? error.message : String(error), errcode } }
  }
}
