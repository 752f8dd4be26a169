import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CommandError } from '../../domain/command-error.ts'
import { isRecord } from '../../domain/is-record.ts'
import { requireSqlite } from '../reading/sqlite-file.ts'
import { readingSource } from '../reading/unreadable-source.ts'

/** Where an installation of Gokapi keeps its data. */
export interface GokapiInstallation {
  /** Path of its database. */
  readonly database: string
  /** Directory of its files, under their SHA-1. */
  readonly files: string
  /** The salt of the passwords of files; empty without one. */
  readonly salt: string
}

/**
 * Finds the data of an installation.
 * @param root the directory in which Gokapi runs, with `config/config.json`
 * @param data the directory of its files, unless the configuration names it
 * @throws CommandError
 */
export async function findGokapi(root: string, data: string | undefined): Promise<GokapiInstallation> {
  const settings = await settingsOf(resolve(root, 'config', 'config.json'))
  const files = data ?? resolve(root, textIn(settings, 'DataDir') || 'data')
  const database = databaseIn(root, files, textIn(settings, 'DatabaseUrl'))
  await requireSqlite(database, 'Gokapi')
  return { database, files, salt: textIn(recordIn(settings, 'Authentication'), 'SaltFiles') }
}

type Settings = Readonly<Record<string, unknown>>

async function settingsOf(path: string): Promise<Settings> {
  const content = await readingSource(() => readFile(path, 'utf8')).catch((cause: unknown) => {
    if (cause instanceof CommandError) throw cause
    throw new CommandError(
      `there is no configuration of Gokapi, ${path}: name the directory that has config and data`,
      cause,
    )
  })
  try {
    const settings: unknown = JSON.parse(content)
    if (isRecord(settings)) return settings
  } catch (cause) {
    throw new CommandError(`${path} is damaged: it is not JSON`, cause)
  }
  throw new CommandError(`${path} is not a configuration of Gokapi`)
}

const sqliteURL = 'sqlite://'

/** Without a DatabaseUrl, the database has its default name. */
function databaseIn(root: string, files: string, url: string): string {
  if (url === '') return resolve(files, 'gokapi.sqlite')
  if (!url.startsWith(sqliteURL))
    throw new CommandError(
      `Gokapi keeps its data in ${url.replace(/:.*/s, '')}: only SQLite can be read (gokapi migrate-database copies it into SQLite)`,
    )
  const path = url.slice(sqliteURL.length)
  // Absolute paths are those of the container in which Gokapi ran.
  return path.startsWith('/') ? resolve(files, path.replace(/^.*\//s, '')) : resolve(root, path)
}

function recordIn(settings: Settings, key: string): Settings {
  const value = settings[key]
  return isRecord(value) ? value : {}
}

function textIn(settings: Settings, key: string): string {
  const value = settings[key]
  return typeof value === 'string' ? value : ''
}
