import type { Stats } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ok, warn, type Finding } from '@svc/terminal'
import type { CheckContext } from './base/context.ts'
import { exists } from './base/exists.ts'

const about = 'owners'

/** The number of files per folder of the data directory that are examined: a large store must not be read as a whole. */
const filesPerFolder = 4

/**
 * Checks that files of the data directory and of the SQLite database belong to the owner of their directory, and that the
 * check runs as that user. A command that runs as root creates files that the service cannot change later.
 */
export async function checkOwners({ config, userId }: CheckContext): Promise<readonly Finding[]> {
  if (userId === undefined) return []
  const { dataBackend, metadataBackend } = config
  const findings = [
    ...(dataBackend.kind === 'file'
      ? await ownerFindings(dataBackend.directory, storedPaths(dataBackend.directory), userId)
      : []),
    ...(metadataBackend.driver === 'sqlite3' && (await exists(metadataBackend.connectionString))
      ? await ownerFindings(
          dirname(metadataBackend.connectionString),
          ['', '-wal', '-shm'].map((suffix) => `${metadataBackend.connectionString}${suffix}`),
          userId,
        )
      : []),
  ]
  return findings.length === 0 ? [ok(about, 'the files belong to the user of this process')] : findings
}

async function ownerFindings(
  directory: string,
  paths: AsyncIterable<string> | Iterable<string>,
  userId: number,
): Promise<readonly Finding[]> {
  const owner = (await statOf(directory))?.uid
  // A missing directory is reported elsewhere.
  if (owner === undefined) return []
  const findings: Finding[] = []
  if (owner !== userId)
    findings.push(
      warn(
        about,
        `${directory} belongs to user ${String(owner)}, and this process runs as user ${String(userId)}: run svcd as the user to whom its files belong`,
      ),
    )
  for await (const path of paths) {
    const uid = (await statOf(path))?.uid
    if (uid === undefined || uid === owner) continue
    findings.push(
      warn(
        about,
        `${path} belongs to user ${String(uid)}, and its directory to user ${String(owner)}: chown -R --reference=${directory} ${directory}`,
      ),
    )
    // One suffices: the command mends all.
    break
  }
  return findings
}

/** The folders of the data directory, and the first files of each. */
async function* storedPaths(directory: string): AsyncGenerator<string> {
  for await (const folder of entriesOf(directory)) {
    yield folder
    let files = 0
    for await (const file of entriesOf(folder)) {
      yield file
      if ((files += 1) === filesPerFolder) break
    }
  }
}

/** The paths of the entries of a folder; none if it is not a folder or cannot be read. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  const entries = await opendir(folder).catch(() => undefined)
  if (entries === undefined) return
  for await (const { name } of entries) yield join(folder, name)
}

/** @returns undefined when there is no such file or it cannot be examined */
const statOf = (path: string): Promise<Stats | undefined> => lstat(path).catch(() => undefined)
