import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
 * @returns path of the folder
 * @throws Error if another user can change the files, or they cannot be written; its message is for users
 */
export function unpack(cache: string, name: string, files: ContainedFiles): string {
  const folder = join(cache, name)
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  // The server runs what is in the folder.
  if (!isOwn(cache)) throw new Error(`${cache} belongs to another user, or others can write to it`)
  for (const [path, size] of Object.entries(files.sizes)) {
    const file = `${folder}/${path}`
    if (!isComplete(file, size)) write(file, files.read(path))
  }
  return folder
}

const isComplete = (file: string, size: number) => {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true && stats.size === size
}

function write(file: string, bytes: ArrayBuffer): void {
  const temporary = `${file}.${randomUUID()}`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
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
