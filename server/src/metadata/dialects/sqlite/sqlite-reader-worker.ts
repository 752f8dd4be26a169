import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { ReadResponse, ReadRequest } from './reader.ts'
import { addLower, sqliteStatements } from './statements.ts'

const port = parentPort
if (port === null) throw new Error('the reader of the database must be started as a worker thread')

// The timeout applies only while another process recovers the log, and blocks this thread alone.
const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 5_000 })
database.exec('pragma temp_store = memory; pragma cache_size = -16000')
addLower(database)
const statements = sqliteStatements(database)

port.on('message', ({ number, query }: ReadRequest) => {
  port.postMessage({ number, ...read(query) } satisfies ReadResponse)
})

function read(query: ReadRequest['query']): Omit<ReadResponse, 'number'> {
  try {
    return { rows: statements.run<object>(query).rows }
  } catch (error) {
    // Structured cloning drops the code of an error.
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null
    return { failure: { message: error instanceof Error ? error.message : String(error), errcode } }
  }
}
