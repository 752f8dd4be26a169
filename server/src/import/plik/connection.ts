import { CommandError } from '../../domain/command-error.ts'

/** A database of Plik, with its address in the form that the drivers of this service read. */
export interface PlikDatabaseAddress {
  readonly driver: 'sqlite3' | 'postgres' | 'mysql'
  /** Path of the file of SQLite, or URL. */
  readonly connectionString: string
}

/** The driver of a URL; undefined for anything else. */
export function driverOfURL(text: string): 'postgres' | 'mysql' | undefined {
  if (/^postgres(?:ql)?:\/\//.test(text)) return 'postgres'
  return /^(?:mysql|mariadb):\/\//.test(text) ? 'mysql' : undefined
}

/** Key and value as libpq reads them: `host=db password='with a space'`. */
const keywordPair = /(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))\s*/gy

/** The names of keywords of libpq in the query of a URL. */
const urlNames: Readonly<Record<string, string>> = { dbname: 'database' }

/**
 * The URL of a connection string of Plik for PostgreSQL.
 * @throws CommandError when it is neither a URL nor `host=… user=…`
 */
export function postgresURL(text: string): string {
  if (driverOfURL(text) === 'postgres') return text
  const pairs = [...text.trim().matchAll(keywordPair)]
  if (pairs.length === 0 || pairs.map(([pair]) => pair).join('') !== text.trim())
    throw new CommandError(
      'the ConnectionString of Plik is neither a URL of PostgreSQL nor a list of key=value',
    )
  const values = pairs.map(
    ([, key = '', quoted, bare = '']) => [key, withoutEscapes(quoted ?? bare)] as const,
  )
  const database = values.find(([key]) => key === 'dbname')?.[1] ?? ''
  const query = new URLSearchParams()
  for (const [key, value] of values) if (known.has(key)) query.set(urlNames[key] ?? key, value)
  query.delete('database')
  return `postgres:///${encodeURIComponent(database)}?${query.toString()}`
}

/** Other keywords, such as TimeZone, do not change what is read. */
const known: ReadonlySet<string> = new Set(['host', 'port', 'user', 'password', 'dbname', 'sslmode'])

const withoutEscapes = (value: string): string => value.replace(/\\(.)/gs, '$1')

/** `user:password@tcp(host:3306)/database?charset=utf8mb4`, as Go's driver of MySQL reads it. */
const goAddress =
  /^(?:(?<user>[^:@/]*)(?::(?<password>.*))?@)?(?:(?<protocol>[a-z]+\d?)(?:\((?<address>[^)]*)\))?)?\/(?<database>[^/?]*)(?:\?.*)?$/s

/**
 * The URL of a connection string of Plik for MySQL.
 * @throws CommandError when it is neither a URL nor in the form of Go's driver
 */
export function mysqlURL(text: string): string {
  if (driverOfURL(text) === 'mysql') return text
  const groups = goAddress.exec(text.trim())?.groups
  if (groups === undefined)
    throw new CommandError(
      'the ConnectionString of Plik is not in the form user:password@tcp(host:3306)/database',
    )
  const { user = '', password = '', protocol = 'tcp', address = '', database = '' } = groups
  const isSocket = protocol === 'unix'
  const host = isSocket || address === '' ? 'localhost' : address
  const query = isSocket ? `?socketPath=${encodeURIComponent(address)}` : ''
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`
  return `mysql://${credentials}@${host}/${encodeURIComponent(database)}${query}`
}
