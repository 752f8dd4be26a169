import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fail, ok, reasonsOf, type Finding } from './finding.ts'

/** Whether something that is not there yet can be made: its nearest folder that exists must take it. */
export async function makeable(about: string, path: string, then: string): Promise<Finding> {
  let folder = dirname(path)
  while (!(await isThere(folder)) && folder !== dirname(folder)) folder = dirname(folder)
  try {
    await access(`${folder}/.`, constants.W_OK | constants.X_OK)
    return ok(about, `${path} ${then}`)
  } catch (error) {
    return fail(about, `${path} cannot be made: ${reasonsOf(error)}`)
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
