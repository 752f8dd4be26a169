import { randomUUID } from 'node:crypto'
import { constants, open, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readKeyBook } from '../config/key-book.ts'
import { settingsPath } from '../config/settings-file.ts'
import type { Target } from '../config/target.ts'
import { errorMessage, systemCode } from '../errors/error-message.ts'
import { Failure } from '../errors/failure.ts'
import { makeDirectories } from '../files/make-directories.ts'
import type { Program } from '../program/program.ts'
import { historyPath, readHistory } from '../state/history.ts'
import { readUnfinished } from '../state/unfinished/unfinished-upload.ts'
import { fail, ok, warn, type Finding } from '@svc/terminal'

/** What svc needs of this computer. */
export async function checkComputer(program: Program, target: Target): Promise<readonly Finding[]> {
  const { server, token, profileName } = target
  return [
    ok('settings', `${settingsPath(program)}, profile ${profileName}`),
    server === undefined
      ? fail('address', 'no server is configured: svc config server URL')
      : ok('address', `${server}${token === undefined ? '; not signed in' : ', with a token'}`),
    await keyBook(program),
    await checkState(program),
    await checkUnfinished(program),
  ]
}

async function keyBook(program: Program): Promise<Finding> {
  try {
    return ok('keys', `${String((await readKeyBook(program)).size)} names in the address book`)
  } catch (error) {
    return fail('keys', errorMessage(error))
  }
}

async function checkState(program: Program): Promise<Finding> {
  const path = historyPath(program)
  try {
    await makeDirectories(dirname(path), 0o700)
    await writeProbe(dirname(path))
    await requireAppendable(path)
    const { length } = await readHistory(program)
    return ok('history', `${path}, uploads: ${String(length)}`)
  } catch (error) {
    const words = error instanceof Failure ? error.message : `${path}: ${errorMessage(error)}`
    return warn('history', `${words}; uploads can be neither resumed nor deleted`)
  }
}

/** @throws errors of the system, as of a full disk */
async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, `doctor-${randomUUID()}`)
  try {
    await writeFile(path, 'svc doctor\n', { flush: true })
  } finally {
    await rm(path, { force: true })
  }
}

/** @throws errors of the system */
async function requireAppendable(path: string): Promise<void> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_APPEND)
    await file.close()
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

async function checkUnfinished(program: Program): Promise<Finding> {
  const { length } = await readUnfinished(program)
  return length === 0
    ? ok('unfinished', 'no upload was interrupted')
    : warn('unfinished', `uploads: ${String(length)}; svc ls shows them, svc resume continues one`)
}
