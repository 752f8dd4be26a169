import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isOwn } from '../../../cli/src/program/compile-cache-folder.ts'

/** The files that an executable contains. */
export interface ContainedFiles {
  /** Sizes in bytes by relative paths with `/`. */
  readonly sizes: Readonly<Record<string, number>>
  readonly read: (path: string) => ArrayBuffer
}

/**
 * Writes the files that a folder lacks, or has in another size. Each file is written under another name and renamed, so that
 * another process which unpacks at the same time, or a crash, leaves no file that is incomplete under its name.
 * @param cache parent of the folder; only its owner can read it if this creates it
 * @param name of the folder in it, which differs for other files
 * @returns the number of files that it wrote
 * @throws Error if another user can change the files, or they cannot be written; its message is for users
 */
export const unpack = (cache: string, name: string, files: ContainedFiles): number =>
  writeMissing(cache, name, files, isComplete)

/** As `unpack`, but also writes the files that have other bytes, which takes longer. */
export const repair = (cache: string, name: string, files: ContainedFiles): number =>
  writeMissing(
    cache,
    name,
    files,
    (file, size, path) =>
      isComplete(file, size) && readFileSync(file).equals(new Uint8Array(files.read(path))),
  )

function writeMissing(
  cache: string,
  name: string,
  files: ContainedFiles,
  isIntact: (file: string, size: number, path: string) => boolean,
): number {
  makeFolder(cache)
  // The server runs what is in the folder.
  if (!isOwn(cache)) throw new Error(`${cache} belongs to another user, or others can write to it`)
  let written = 0
  for (const [path, size] of Object.entries(files.sizes)) {
    const file = join(cache, name, path)
    if (isIntact(file, size, path)) continue
    write(file, files.read(path))
    written += 1
  }
  return written
}

const isComplete = (file: string, size: number) => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === size
}

function write(file: string, bytes: ArrayBuffer): void {
  const temporary = `${file}.${randomUUID()}`
  makeFolder(dirname(file))
  try {
    // A file that a power failure empties would be noticed by its size, but not one with other bytes.
    writeFileSync(temporary, new Uint8Array(bytes), { mode: 0o600, flush: true })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    // Windows does not replace a file that is in use: then another process has written it.
    if (!isComplete(file, bytes.byteLength)) throw error
  }
}

/** Node's `recursive` reports that a folder is absent where the file system is read-only. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return // another process has made it
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    makeFolder(dirname(folder))
    makeFolder(folder)
  }
}
