import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readKeyBook } from '../config/key-book.ts'
import { settingsPath } from '../config/settings-file.ts'
import { statePath } from '../config/standard-folders.ts'
import type { Target } from '../config/target.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
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
  const folder = dirname(statePath(program, 'uploads.jsonl'))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    return ok('history', folder)
  } catch (error) {
    return warn('history', `${folder}: ${errorMessage(error)}; uploads can be neither resumed nor deleted`)
  }
}

async function checkUnfinished(program: Program): Promise<Finding> {
  const { length } = await readUnfinished(program)
  return length === 0
    ? ok('unfinished', 'no upload was interrupted')
    : warn('unfinished', `uploads: ${String(length)}; svc ls shows them, svc resume continues one`)
}
