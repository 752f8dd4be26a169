import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { CommandError } from '../domain/command-error.ts'

/**
 * Refuses a command of root that would create files in a folder of another user: the server, which runs as that user, could
 * not use them. SQLite gives the files beside an existing database to its owner, so only a missing one counts.
 * @param writesFiles whether the command writes into the data directory
 * @throws CommandError
 */
export function refuseRoot(
  { dataBackend, metadataBackend }: Pick<Config, 'dataBackend' | 'metadataBackend'>,
  { writesFiles }: { readonly writesFiles: boolean },
): void {
  if (process.geteuid?.() !== 0) return
  const { driver, connectionString } = metadataBackend
  if (driver === 'sqlite3' && ownerOf(connectionString) === undefined) refuseOthers(dirname(connectionString))
  if (writesFiles && dataBackend.kind === 'file') refuseOthers(dataBackend.directory)
}

function refuseOthers(folder: string): void {
  const owner = ownerOf(folder)
  if (owner === undefined || owner === 0) return
  const name = nameOf(owner)
  throw new CommandError(
    `${folder} belongs to user ${name ?? String(owner)}, who could not use the files that root creates there: run the command as that user (sudo -u ${name ?? `'#${String(owner)}'`} svcd …)`,
  )
}

const ownerOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.uid

/** The name of a user of this machine; undefined if it has none. */
function nameOf(userId: number): string | undefined {
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n')
    return users.map((line) => line.split(':')).find(([, , id]) => id === String(userId))?.[0]
  } catch {
    return undefined
  }
}
