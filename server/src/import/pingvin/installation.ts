import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from '../../domain/command-error.ts'
import { requireSqlite } from '../reading/sqlite-file.ts'

/** Where an installation of Pingvin Share keeps its data. */
export interface PingvinInstallation {
  /** Path of its database. */
  readonly database: string
  /** Directory of its files: `SHARE/FILE`. */
  readonly files: string
}

const name = 'pingvin-share.db'

/**
 * Finds the data of an installation.
 * @param root its data directory, or the directory that has it as `data`
 * @param data the directory of the files, unless it is `uploads/shares` in the data directory
 * @throws CommandError
 */
export async function findPingvin(root: string, data: string | undefined): Promise<PingvinInstallation> {
  const directory = [root, resolve(root, 'data'), resolve(root, 'backend', 'data')].find((place) =>
    existsSync(resolve(place, name)),
  )
  if (directory === undefined)
    throw new CommandError(`${root} has no database of Pingvin Share: name its data directory, with ${name}`)
  const database = resolve(directory, name)
  await requireSqlite(database, 'Pingvin Share')
  return { database, files: data ?? resolve(directory, 'uploads', 'shares') }
}
