import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createClient } from '@svc/sdk'
import { printable } from '@svc/terminal'
import { statePath } from '../config/standard-folders.ts'
import { findTarget } from '../config/target.ts'
import { makeDirectories } from '../files/make-directories.ts'
import type { Program } from '../program/program.ts'
import { createNodeFetch } from '../http/node-fetch.ts'
import { version } from '../program/version.ts'
import { ageOf } from './versions.ts'

const dayMs = 86_400_000
/** Longest wait for the version check, in milliseconds. */
const requestTimeoutMs = 2_000

/**
 * Reports a newer svc once a day, if the profile has `updates = true`. An error does not affect the command.
 */
export async function remindOfUpdate(program: Program): Promise<void> {
  try {
    if (program.errors.isTTY !== true) return
    const target = await findTarget(program, {})
    if (target.profile.updates !== true || target.server === undefined) return
    if (!(await isDue(program))) return
    const offered = await offeredBy(program, target.server, target.insecure)
    if (ageOf(offered, version) === 'newer')
      program.printToStderr(`svc ${printable(offered)} is available (this is ${version}): svc update`)
  } catch {
    // The next check is on the next day.
  }
}

async function offeredBy(
  { environment, interrupted }: Program,
  server: string,
  insecure: boolean,
): Promise<string> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(requestTimeoutMs)])
  const fetch = createNodeFetch({ environment, insecure })
  const client = createClient({ baseURL: server, fetch: (input, init) => fetch(input, { ...init, signal }) })
  const { version: offered } = await client.version()
  return offered
}

/** Whether a check is due. Records the time of this one. */
async function isDue(program: Program): Promise<boolean> {
  const path = statePath(program, 'asked-for-updates')
  const last = Date.parse(await readFile(path, 'utf8').catch(() => ''))
  const now = program.clock.now()
  if (last <= now && now - last < dayMs) return false
  await makeDirectories(dirname(path), 0o700)
  await writeFile(path, new Date(now).toISOString())
  return true
}
