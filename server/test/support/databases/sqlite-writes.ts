import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { sendRequest } from '../clients/send-request.ts'
import { whenUnlocked } from './when-unlocked.ts'

/** Writes to the database of a running server, for states that no request creates. */
export async function write(
  { directory }: { readonly directory: string },
  sql: string,
  ...values: readonly SQLInputValue[]
): Promise<void> {
  using database = new DatabaseSync(join(directory, 'svc.db'))
  await whenUnlocked(() => database.prepare(sql).run(...values))
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
  using database = new DatabaseSync(join(servers[0]?.directory ?? '', 'svc.db'))
  await whenUnlocked(() => {
    database.exec('begin immediate')
  })
  const result = begin()
  // A server responds to later requests later, if they need no database.
  for (let trip = 0; trip < roundTrips; trip++) {
    for (const { url } of servers) await sendRequest(url, '/health')
  }
  database.exec('rollback')
  return await result
}
