import { once } from 'node:events'
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import { startDatabaseServer } from '../../../scripts/test-servers/databases/database-server.ts'
import type { MetadataBackendConfig } from '../../../server/src/config/config.ts'
import type { Bench } from '../bench.ts'
import { run } from '../processes/child.ts'

/** An empty database, on a temporary server where it needs one. */
export interface EmptyDatabase extends AsyncDisposable {
  /** `SVCD_*` variables that point a server to it. */
  readonly settings: Readonly<Record<string, string>>
  /** With which this process opens it. */
  readonly config: MetadataBackendConfig
  /** Its size in bytes. */
  readonly size: () => Promise<number>
  /** Does what the database does by itself within a minute after many changes: autovacuum of PostgreSQL. */
  readonly settle: () => Promise<unknown>
}

export async function newDatabase(bench: Bench): Promise<EmptyDatabase> {
  const { database, signal } = bench
  if (database === 'sqlite3') {
    const file = path.join(await bench.newDirectory('database'), 'svc.db')
    const sizeOf = (name: string) =>
      stat(name).then(
        ({ size }) => size,
        () => 0,
      )
    return {
      settings: settingsOf('sqlite3', file),
      config: { driver: database, connectionString: file, fsync: false },
      size: async () => (await sizeOf(file)) + (await sizeOf(`${file}-wal`)),
      settle: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
  const server = await startDatabaseServer(database)
  const url = await server.create()
  return {
    settings: settingsOf(database, url),
    config: { driver: database, connectionString: url, maxConnections: 4 },
    size: async () => Number(await (database === 'postgres' ? postgresSize : mysqlSize)(url, signal)),
    settle: () =>
      database === 'postgres' ? run('psql', ['-c', 'vacuum', url], { signal }) : Promise.resolve(),
    [Symbol.asyncDispose]: () => server.remove(),
  }
}

const settingsOf = (driver: string, connectionString: string) => ({
  SVCD_METADATA_BACKEND_CONFIG_DRIVER: driver,
  SVCD_METADATA_BACKEND_CONFIG_CONNECTION_STRING: connectionString,
})

const postgresSize = (url: string, signal: AbortSignal): Promise<string> =>
  run('psql', ['-Atc', 'select pg_database_size(current_database())', url], { signal })

function mysqlSize(url: string, signal: AbortSignal): Promise<string> {
  const { hostname, port, username, pathname } = new URL(url)
  const query =
    'select sum(data_length + index_length) from information_schema.tables where table_schema = database()'
  const place = ['-h', hostname, '-P', port, '-u', username, '-N', '-B', '-e', query, pathname.slice(1)]
  return run('mariadb', ['--no-defaults', ...place], { signal })
}

/** Characters per write. */
const blockLength = 1024 * 1024

/** Writes the lines of an export to a file. */
export async function writeExport(file: string, lines: Iterable<string>): Promise<void> {
  const out = createWriteStream(file)
  let block = ''
  for (const line of lines) {
    block += line
    if (block.length < blockLength) continue
    if (!out.write(block)) await once(out, 'drain')
    block = ''
  }
  out.end(block)
  await finished(out)
}

const content = Buffer.alloc(1024, 'x')

/** Stores a kilobyte under each id, at the path of the file backend. */
export function storeSmallFiles(directory: string, ids: Iterable<string>): void {
  const made = new Set<string>()
  for (const id of ids) {
    const folder = path.join(directory, id.slice(0, 2))
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 })
    made.add(folder)
    writeFileSync(path.join(folder, id), content)
  }
}
