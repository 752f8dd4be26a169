import { accessSync, constants, existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { CommandError } from '../../domain/command-error.ts'

const denied: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM'])

/**
 * Runs work that reads an installation of another service. Without permission, the advice is not to run as its owner: the
 * files of this service would belong to that user.
 * @throws CommandError when the permission is missing, and the errors of the work
 */
export async function readingSource<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && denied.has(error.code))) throw error
    throw noPermission('path' in error ? String(error.path) : 'a file', error)
  }
}

const noPermission = (path: string, cause: unknown): CommandError =>
  new CommandError(`no permission to read ${path}: make it readable for ${currentUser()}`, cause)

function currentUser(): string {
  try {
    return `the user ${userInfo().username}, who runs this command`
  } catch {
    return 'the user who runs this command'
  }
}

/** Why SQLite cannot open the file of a database; undefined when the file is not the reason. */
export function whyNotOpened(path: string): CommandError | undefined {
  const [log, index] = [`${path}-wal`, `${path}-shm`]
  for (const file of [path, log, index]) {
    try {
      if (existsSync(file)) accessSync(file, constants.R_OK)
    } catch (cause) {
      return noPermission(file, cause)
    }
  }
  if (!existsSync(path)) return new CommandError(`${path} does not exist, or its directory cannot be read`)
  if (!existsSync(log) || existsSync(index)) return undefined
  return new CommandError(
    `${path} cannot be opened: to read its log ${log}, SQLite must create ${index}, and ${currentUser()}, has no permission for that: copy the database and its log into a directory of this user`,
  )
}
