import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { promisify } from 'node:util'
import { postgres } from '../../../scripts/test-servers/databases/postgres.ts'
import type { MetadataBackendConfig } from '../../src/config/config.ts'

const run = promisify(execFile)

type Place = Pick<MetadataBackendConfig, 'driver' | 'connectionString'>

/** The statements that make a database again, as text. */
export async function dumpOf({ driver, connectionString }: Place): Promise<string> {
  switch (driver) {
    case 'sqlite3':
      return sqliteDump(connectionString)
    case 'postgres': {
      const options = ['--no-owner', '--no-privileges', '--column-inserts', '--dbname', connectionString]
      const { stdout } = await run(join(postgres.find() ?? '', 'pg_dump'), options)
      // Lines of psql, comments, and settings of newer or older versions.
      return lines(stdout, /^(?:\\|--|SET |SELECT pg_catalog\.set_config|$)/)
    }
    case 'mysql': {
      const { hostname, port, username, pathname } = new URL(connectionString)
      const options = ['--no-defaults', '-h', hostname, '-P', port, '-u', username, '--complete-insert']
      const plain = ['--skip-extended-insert', '--skip-comments', '--skip-add-locks', '--hex-blob']
      const { stdout } = await run('mariadb-dump', [...options, ...plain, pathname.slice(1)])
      return lines(stdout, /^(?:\/\*M!|$)/)
    }
  }
}

const lines = (text: string, leftOut: RegExp): string =>
  `${text
    .split('\n')
    .filter((line) => !leftOut.test(line))
    .join('\n')}\n`

function sqliteDump(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const schema = `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite_%'`
    const objects = database.prepare(schema).all()
    const tables = objects.filter(({ type }) => type === 'table')
    const others = objects.filter(({ type }) => type !== 'table')
    const rows = tables.flatMap(({ name }) => insertsOf(database, String(name)))
    const made = (object: (typeof objects)[number]) => `${String(object['sql'])};`
    return [...tables.map(made), ...rows, ...others.map(made), ''].join('\n')
  } finally {
    database.close()
  }
}

const insertsOf = (database: DatabaseSync, table: string): string[] =>
  database
    .prepare(`select * from "${table}"`)
    .all()
    .map((row) => {
      const names = Object.keys(row).map((name) => `"${name}"`)
      return `INSERT INTO "${table}" (${names.join(', ')}) VALUES (${Object.values(row).map(literal).join(', ')});`
    })

function literal(value: SQLOutputValue): string {
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}
