import { createHash } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pid } from 'node:process'
import { parseJson } from '@svc/contract'
import { statePath } from '../config/standard-folders.ts'
import { systemCode } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import { partPath } from '../files/local-file.ts'
import { makeDirectories } from '../files/make-directories.ts'
import type { Program } from '../program/program.ts'
import { isRunning, thisProcess, type Owner } from '../state/unfinished/owner.ts'

/** Locks of this process. */
const ownLocks = new Set<string>()

/**
 * Locks a partial file: two commands that write to one would spoil it. The lock of a command that was killed ends with its
 * process. Without a writable state folder, nothing is locked.
 * @param id id of the download
 * @returns the lock; its disposal releases it
 * @throws Failure if another svc downloads the file
 */
export async function lockDownload(program: Program, path: string, id: string): Promise<AsyncDisposable> {
  const name = createHash('sha256').update(partPath(path, id)).digest('hex').slice(0, 16)
  const lock = statePath(program, `downloads/${name}.json`)
  const lockedFailure = () => localFailure(`another svc is downloading ${path}`)
  if (ownLocks.has(lock)) throw lockedFailure()
  ownLocks.add(lock)
  try {
    await makeDirectories(dirname(lock), 0o700)
    if (!(await write(program, lock))) {
      if (await isHeld(program, lock)) throw lockedFailure()
      await unlink(lock)
      if (!(await write(program, lock))) throw lockedFailure()
    }
  } catch (error) {
    if (systemCode(error) === undefined) {
      ownLocks.delete(lock)
      throw error
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      ownLocks.delete(lock)
      await unlink(lock).catch(() => undefined)
    },
  }
}

/** @returns false if another command has locked the file */
async function write({ clock }: Program, lock: string): Promise<boolean> {
  const temporary = `${lock}.${String(pid)}`
  try {
    await writeFile(temporary, JSON.stringify(thisProcess(clock)), { mode: 0o600 })
    // Unlike writing, this never shows a lock without its owner.
    await link(temporary, lock)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

async function isHeld({ clock }: Program, lock: string): Promise<boolean> {
  const owner = parseJson(await readFile(lock, 'utf8').catch(() => '')) as Owner | undefined
  return owner !== undefined && isRunning(owner, clock)
}
