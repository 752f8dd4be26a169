import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { sendRequest } from '../clients/send-request.ts'

/** Writes to the database of a running server, for states that no request creates. */
export function write(
  { directory }: { readonly directory: string },
  sql: string,
  ...values: readonly SQLInputValue[]
): void {
  const database = new DatabaseSync(join(directory, 'svc.db'), { timeout: 5_000 })
  try {
    database.prepare(sql).run(...values)
  } finally {
    database.close()
  }
}

const roundTrips = 5

/**
 * Begins some requests while another process is writing, so that each server has looked before any of them can
 * change something.
 * @param servers those that the requests go to
 */
export async function simultaneously<Result>(
  servers: readonly { readonly url: string; readonly directory: string }[],
  begin: () => Promise<Result>,
): Promise<Result> {
  const database = new DatabaseSync(join(servers[0]?.directory ?? '', 'svc.db'), { timeout: 5_000 })
  database.exec('begin immediate')
  const result = begin()
  // A server responds to later requests later, if they need no database.
  for (let trip = 0; trip < roundTrips; trip++) {
    for (const { url } of servers) await sendRequest(url, '/health')
  }
  database.exec('rollback')
  database.close()
  return result
}
