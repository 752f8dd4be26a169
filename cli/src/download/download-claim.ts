import { createHash } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pid } from 'node:process'
import { parseJson } from '@svc/contract'
import { statePath } from '../config/standard-folders.ts'
import { systemCode } from '../errors/error-message.ts'
import { localFailure } from '../errors/failure.ts'
import { partPath } from '../files/local-file.ts'
import { makeDirectories } from '../config/make-directories.ts'
import type { Program } from '../program/program.ts'
import { isRunning, thisProcess, type Owner } from '../state/unfinished/owner.ts'

/** Claims of this process. */
const held = new Set<string>()

/**
 * Claims a partial file: two commands that write to one would spoil it. The claim of a command that was killed ends with its
 * process. Without a writable state folder, nothing is claimed.
 * @param id of the download
 * @returns the claim; its disposal ends it
 * @throws Failure if another svc downloads the file
 */
export async function claimDownload(program: Program, path: string, id: string): Promise<AsyncDisposable> {
  const name = createHash('sha256').update(partPath(path, id)).digest('hex').slice(0, 16)
  const claim = statePath(program, `downloads/${name}.json`)
  const taken = () => localFailure(`another svc is downloading ${path}`)
  if (held.has(claim)) throw taken()
  held.add(claim)
  try {
    await makeDirectories(dirname(claim), 0o700)
    if (!(await write(program, claim))) {
      if (await isHeld(program, claim)) throw taken()
      await unlink(claim)
      if (!(await write(program, claim))) throw taken()
    }
  } catch (error) {
    if (systemCode(error) === undefined) {
      held.delete(claim)
      throw error
    }
  }
  return {
    async [Symbol.asyncDispose]() {
      held.delete(claim)
      await unlink(claim).catch(() => undefined)
    },
  }
}

/** @returns false if another command has claimed the file */
async function write({ clock }: Program, claim: string): Promise<boolean> {
  const temporary = `${claim}.${String(pid)}`
  try {
    await writeFile(temporary, JSON.stringify(thisProcess(clock)), { mode: 0o600 })
    // Unlike writing, this never shows a claim without its owner.
    await link(temporary, claim)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

async function isHeld({ clock }: Program, claim: string): Promise<boolean> {
  const owner = parseJson(await readFile(claim, 'utf8').catch(() => '')) as Owner | undefined
  return owner !== undefined && isRunning(owner, clock)
}
