import type { Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { systemCode } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import type { Location } from './item.ts'

/** The real path as a text of one character for each byte, to compare it. */
export const realPath = async (location: Location): Promise<string> =>
  (await realpath(location, { encoding: 'buffer' })).toString('latin1')

/**
 * Why a link in a folder is not sent: it may refer to a file of the same folder, but not to a file outside, nor to a folder
 * (loops).
 * @param root `realPath` of the folder
 * @returns undefined if it is sent
 * @throws Failure if it refers to nothing; errors of the system
 */
export async function skippedLink(location: Location, root: string): Promise<string | undefined> {
  const real = await realPath(location).catch((error: unknown) => {
    throw systemCode(error) === 'ENOENT' ? localFailure('the link leads to no file', error) : error
  })
  if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
    return 'link to outside the folder skipped'
  const stats: Stats = await stat(location)
  if (stats.isFile()) return undefined
  return stats.isDirectory() ? 'link to a folder skipped' : 'not a file; skipped'
}
