import { link, mkdir, realpath, rename, stat, unlink } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { localFailure } from '../core/failure.ts'
import { errorMessage, systemCode } from '../core/error-message.ts'

/** Where a file is written until it is whole. The id in it keeps two files of one name apart. */
export const partPath = (path: string, fileID: string): string => `${path}.${fileID}.part`

/** Where the content of an encrypted file is written until all of it is known to be right. */
export const plainPath = (path: string, fileID: string): string => `${path}.${fileID}.plain.part`

/**
 * Creates the folders of a file below the target folder.
 * @throws Failure when a link among them leads out of it
 */
export async function makeFolders(base: string, path: string): Promise<void> {
  const folder = dirname(path)
  try {
    await mkdir(base, { recursive: true })
    await mkdir(folder, { recursive: true })
    const [root, real] = await Promise.all([realpath(base), realpath(folder)])
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
      throw localFailure(`${folder} is outside ${base}`)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw localFailure(`${folder}: ${errorMessage(error)}`, error)
  }
}

export const sizeOf = async (path: string): Promise<number | undefined> => {
  const stats = await stat(path).catch(() => undefined)
  return stats?.size
}

/** @throws Failure when something is there that is no file: a device or a pipe is not to be replaced by one */
export async function requireReplaceable(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
    throw localFailure(`${path} is not a file; use -o - for standard output`)
}

export type Existing = 'keep' | 'replace'

/**
 * Gives a file that is whole its name, in one step.
 * @throws Failure when the name is taken and shall be kept
 */
export async function moveIntoPlace(part: string, path: string, existing: Existing): Promise<void> {
  try {
    if (existing === 'replace') {
      await rename(part, path)
      return
    }
    // Fails where something is there, unlike renaming.
    await link(part, path)
    await unlink(part)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw existsFailure(path, error)
    if (
      existing === 'replace' ||
      !['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(systemCode(error) ?? '')
    )
      throw localFailure(`${path}: ${errorMessage(error)}`, error)
    // Some file systems know no links.
    if ((await sizeOf(path)) !== undefined) throw existsFailure(path)
    await rename(part, path)
  }
}

export const existsFailure = (path: string, cause?: unknown) =>
  localFailure(`${path} already exists; use --yes to overwrite it`, cause)
