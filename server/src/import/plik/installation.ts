import { existsSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { CommandError } from '../../domain/command-error.ts'
import { contentOf } from '../reading/sqlite-file.ts'
import { readingSource } from '../reading/unreadable-source.ts'
import { driverOfURL, mysqlURL, postgresURL, type PlikDatabaseAddress } from './connection.ts'

/** Where an installation of Plik keeps its data. */
export interface PlikInstallation {
  readonly database: PlikDatabaseAddress
  /** The directory of its files; an object store; or null when only the database was named. */
  readonly files: PlikFileStore | null
}

export type PlikFileStore =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'object store'; readonly name: string; readonly keysAreIds: boolean }

/**
 * Finds the data of an installation.
 * @param source path of its configuration file or of its database of SQLite, or URL of its database
 * @param directory the directory to which the path is relative
 * @throws CommandError
 */
export async function findPlik(source: string, directory: string): Promise<PlikInstallation> {
  const driver = driverOfURL(source)
  if (driver !== undefined) return { database: { driver, connectionString: source }, files: null }
  const path = resolve(directory, source)
  if ((await readingSource(() => stat(path))).isDirectory())
    throw new CommandError(`${source} is a directory: name Plik's configuration file, plikd.cfg`)
  const content = await readingSource(() => contentOf(path))
  if (content === 'empty') throw new CommandError(`${source} is empty`)
  if (content === 'SQLite') return { database: { driver: 'sqlite3', connectionString: path }, files: null }
  return fromConfiguration(path, await readingSource(() => readFile(path, 'utf8')), source)
}

type Settings = Readonly<Record<string, unknown>>

function fromConfiguration(path: string, content: string, name: string): PlikInstallation {
  let settings: Settings
  try {
    settings = parse(content)
  } catch (cause) {
    throw new CommandError(
      `${name} is neither a configuration file of Plik (TOML) nor a database of SQLite`,
      cause,
    )
  }
  if (!Object.keys(settings).some((key) => isKnown(key)))
    throw new CommandError(`${name} has no settings of Plik: name plikd.cfg, or the database of Plik`)
  const metadata = tableIn(settings, 'MetadataBackendConfig')
  const data = tableIn(settings, 'DataBackendConfig')
  const from = dirname(path)
  return {
    database: databaseOf(
      textIn(metadata, 'Driver', 'sqlite3'),
      textIn(metadata, 'ConnectionString', 'plik.db'),
      from,
    ),
    files: filesOf(textIn(settings, 'DataBackend', 'file'), data, from),
  }
}

function databaseOf(driver: string, connectionString: string, from: string): PlikDatabaseAddress {
  switch (driver) {
    case 'sqlite3':
      return { driver, connectionString: fileOfSqlite(connectionString, from) }
    case 'postgres':
      return { driver, connectionString: postgresURL(connectionString) }
    case 'mysql':
      return { driver, connectionString: mysqlURL(connectionString) }
    default:
      throw new CommandError(
        `the MetadataBackendConfig.Driver of Plik is ${driver}: only sqlite3, postgres and mysql can be read`,
      )
  }
}

/** Plik may have options after the path: `file:plik.db?cache=shared`. */
function fileOfSqlite(connectionString: string, from: string): string {
  const [path = ''] = connectionString.replace(/^file:/, '').split('?')
  const resolved = resolve(from, path)
  if (!existsSync(resolved))
    throw new CommandError(
      `Plik's database ${resolved} does not exist: relative paths start at the configuration file; name the database itself instead of the configuration, with --data`,
    )
  if (statSync(resolved).size === 0) throw new CommandError(`Plik's database ${resolved} is empty`)
  return resolved
}

function filesOf(kind: string, data: Settings, from: string): PlikFileStore {
  const prefix = textIn(data, 'Prefix', textIn(data, 'Folder', ''))
  const within = prefix === '' ? '' : `, under ${prefix}/`
  switch (kind) {
    case 'file':
      return { kind: 'directory', directory: resolve(from, textIn(data, 'Directory', 'files')) }
    case 's3':
      return {
        kind: 'object store',
        name: `the bucket ${textIn(data, 'Bucket', 'plik')} of S3${within}`,
        keysAreIds: true,
      }
    case 'swift':
      return {
        kind: 'object store',
        name: `the container ${textIn(data, 'Container', 'plik')} of Swift`,
        keysAreIds: false,
      }
    case 'gcs':
      return {
        kind: 'object store',
        name: `the bucket ${textIn(data, 'Bucket', '')} of Google Cloud Storage${within}`,
        keysAreIds: false,
      }
    default:
      throw new CommandError(
        `the DataBackend of Plik is ${kind}: name the directory of its files with --data`,
      )
  }
}

/** Settings of Plik, of which each configuration has some. */
const knownSettings =
  /^(?:Debug|Log|Listen|Metrics|Metadata|Data|Path|Ssl|Tls|NoWeb|Download|Plik|Enhanced|Session|Abuse|Webapp|Clients|Changelog|SourceIp|Upload|Max|Default|Feature|Google|GitHub|Ovh|Oidc|Stream|OneShot|Removable|Protected|Authentication|NoAnonymous)/i

const isKnown = (key: string): boolean => knownSettings.test(key)

/** Plik ignores the case of keys. */
function valueIn(settings: Settings, key: string): unknown {
  const name = Object.keys(settings).find((setting) => setting.toLowerCase() === key.toLowerCase())
  return name === undefined ? undefined : settings[name]
}

function tableIn(settings: Settings, key: string): Settings {
  const value = valueIn(settings, key)
  return typeof value === 'object' && value !== null ? (value as Settings) : {}
}

function textIn(settings: Settings, key: string, absent: string): string {
  const value = valueIn(settings, key)
  return typeof value === 'string' && value !== '' ? value : absent
}
