import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { root } from '../setup/runtime.mjs'

/** What is packaged. */
export interface Source {
  readonly version: string
  /** The commit; undefined outside of a clone and without `SVC_REVISION`. */
  readonly revision: string | undefined
  /** Seconds since 1970: `SOURCE_DATE_EPOCH`, or the time of the commit. Files of a package have it, so that builds are equal. */
  readonly epoch: number
}

export function findSource(): Source {
  const { version } = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as Source
  // The build in an image has no repository, and gets variables instead, which are empty unless they are set.
  const revision = nonEmpty(env['SVC_REVISION']) ?? git('rev-parse', 'HEAD')
  const epoch = nonEmpty(env['SOURCE_DATE_EPOCH']) ?? git('log', '-1', '--format=%ct') ?? '0'
  if (!/^\d+$/.test(epoch)) throw new Error(`SOURCE_DATE_EPOCH is not a number of seconds: ${epoch}`)
  return { version, revision, epoch: Number(epoch) }
}

const nonEmpty = (text: string | undefined) => (text === '' ? undefined : text)

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
