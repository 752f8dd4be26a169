import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, realpath, rename, stat, unlink, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { makeDirectories } from './make-directories.ts'
import { localFailure } from '../errors/failure.ts'
import { errorMessage, systemCode } from '../errors/error-message.ts'

/** The source of a download. */
export interface Origin {
  /** Address of the server. */
  readonly server: string
  readonly uploadID: string
  readonly fileID: string
}

/**
 * The id of a download in the names of its partial files: 16 hexadecimal digits. It depends on the server as well: no server
 * can choose ids with which a download overwrites what another one has left.
 */
export const downloadID = ({ server, uploadID, fileID }: Origin): string =>
  createHash('sha256')
    .update(JSON.stringify([server, uploadID, fileID]))
    .digest('hex')
    .slice(0, 16)

/**
 * Path of an incomplete file.
 * @param id id of the download, which separates two files with the same name
 */
export const partPath = (path: string, id: string): string => `${path}.${id}.part`

/** Bytes of the largest partial file for a path, whose id may not be known yet; 0 without one. */
export async function largestPart(path: string): Promise<number> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  const parts = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.part'))
  const sizes = await Promise.all(parts.map((name) => sizeOf(join(folder, name))))
  return Math.max(0, ...sizes.map((size) => size ?? 0))
}

/**
 * Creates the folders of a file below the target folder.
 * @throws Failure when a link among them leads out of it
 */
export const makeFolders = (base: string, path: string): Promise<void> => makeFolder(base, dirname(path))

/** `makeFolders` for many files: each folder is created and checked once. */
export function createFolderMaker(): typeof makeFolders {
  const made = new Map<string, Promise<void>>()
  return (base, path) => {
    const key = JSON.stringify([base, dirname(path)])
    const making = made.get(key) ?? makeFolders(base, path)
    made.set(key, making)
    return making
  }
}

/**
 * Creates a folder below the target folder, and those that it lies in.
 * @throws Failure when a link among them leads out of the target folder
 */
export async function makeFolder(base: string, folder: string): Promise<void> {
  try {
    await makeDirectories(base)
    const root = await realpath(base)
    const requireInside = async (existing: string) => {
      const real = await realpath(existing)
      if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
        throw localFailure(`${existing} is outside ${base}`)
    }
    // One after the other, because a link among them must not create folders elsewhere.
    let current = base
    for (const name of relative(base, folder).split(sep).filter(Boolean)) {
      current = join(current, name)
      await mkdir(current).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error
      })
      await requireInside(current)
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw localFailure(`${folder}: ${errorMessage(error)}`, error)
  }
}

// `O_NOFOLLOW` does not exist on Windows.
const ownFile = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW | 0)

/**
 * Opens a file for reading and writing, and creates it. An existing link is not followed.
 * @throws Failure
 */
export const openOwnFile = (path: string): Promise<FileHandle> =>
  open(path, ownFile).catch((error: unknown) => {
    throw localFailure(`${path}: ${errorMessage(error)}`, error)
  })

export const sizeOf = async (path: string): Promise<number | undefined> => {
  const stats = await stat(path).catch(() => undefined)
  return stats?.size
}

/**
 * @returns whether there is a file or a folder
 * @throws Failure when the path is a device or a pipe, which a file must not replace
 */
export async function requireReplaceable(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined)
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory())
    throw localFailure(`${path} is not a file; use -o - for standard output`)
  return stats !== undefined
}

export type Existing = 'keep' | 'replace'

/**
 * Renames a complete file atomically.
 * @throws Failure when the name exists and must be kept
 */
export async function moveIntoPlace(part: string, path: string, existing: Existing): Promise<void> {
  try {
    if (existing === 'replace') {
      await rename(part, path)
      return
    }
    // Unlike renaming, this fails if the target exists.
    await link(part, path)
    await unlink(part)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw existsFailure(path, error)
    if (
      existing === 'replace' ||
      !['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(systemCode(error) ?? '')
    )
      throw localFailure(`${path}: ${errorMessage(error)}`, error)
    // Some file systems do not support links.
    if ((await sizeOf(path)) !== undefined) throw existsFailure(path)
    await rename(part, path)
  }
}

export const existsFailure = (path: string, cause?: unknown) =>
  localFailure(`${path} already exists; use --yes to overwrite it`, cause)
