import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ok, type Finding } from '@svc/terminal'
import { exists } from './exists.ts'
import { reasonsOf } from './reasons.ts'

/** Checks that a missing file or folder can be created: its nearest existing folder must be writable. */
export async function checkCreatable(about: string, path: string, outcome: string): Promise<Finding> {
  let folder = dirname(path)
  while (!(await exists(folder)) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    await access(`${folder}/.`, constants.W_OK | constants.X_OK)
    return ok(about, `${path} ${outcome}`)
  } catch (error) {
    return fail(about, `${path} cannot be created: ${reasonsOf(error)}`)
  }
}
