import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { version as node } from 'node:process'
import { promisify } from 'node:util'
import type { Release, Version } from '@svc/contract'
import type { Service } from '../service.ts'
import packageFile from '../../../package.json' with { type: 'json' }

/** The version of this build. */
export const { version } = packageFile

/**
 * The release notes of a version are a file with its name in the changelog directory, and start with a date.
 */
const tag = /^v?\d+\.\d+\.\d+$/
const numberOf = (name: string) => name.replace(/^v/, '')
const date = /\b\d{4}-\d{2}-\d{2}\b/

/**
 * Describes the build and the release history, newest first.
 * @param options `build`: includes the fields that only admins see
 */
export async function describeVersion(
  { config, clients }: Pick<Service, 'config' | 'clients'>,
  { build }: { readonly build: boolean },
): Promise<Version> {
  const offered = config.features.feature_clients === 'enabled' ? await clients() : []
  const described = { version, clients: offered, releases: await releases(config.changelogDirectory) }
  return build ? { ...described, ...(await buildOf()) } : described
}

async function releases(directory: string): Promise<Release[]> {
  const names = await readdir(directory).catch(() => [])
  const newestFirst = names
    .filter((name) => tag.test(name))
    .sort((a, b) => numberOf(b).localeCompare(numberOf(a), 'en', { numeric: true }))
  return Promise.all(
    newestFirst.map(async (name) => {
      const notes = await readFile(join(directory, name), 'utf8')
      return { name, date: date.exec(notes)?.[0] ?? '' }
    }),
  )
}

const run = promisify(execFile)

/** The origin of this build, as far as it is known: a checkout has a commit. */
async function buildOf(): Promise<Partial<Version>> {
  const git = async (...command: readonly string[]) => {
    const { stdout } = await run('git', ['-C', import.meta.dirname, ...command], { timeout: 5_000 })
    return stdout.trim()
  }
  const commit = await git('log', '-1', '--format=%H %cI').catch(() => '')
  const [gitFullRevision = '', date = ''] = commit.split(' ')
  return {
    date,
    user: '',
    host: hostname(),
    gitShortRevision: gitFullRevision.slice(0, 7),
    gitFullRevision,
    goVersion: `node ${node}`,
    isRelease: (await git('describe', '--exact-match', '--tags').catch(() => '')) === `v${version}`,
    isMint: (await git('status', '--porcelain').catch(() => ' ')) === '',
  }
}
