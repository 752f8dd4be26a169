import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release, Version } from '@svc/contract'
import packageFile from '../../package.json' with { type: 'json' }

/** The version of this build. */
export const { version } = packageFile

/** A release's notes are a file that is named as its tag, and begin with its date. */
const tag = /^v\d+\.\d+\.\d+$/
const date = /\b\d{4}-\d{2}-\d{2}\b/

/**
 * The build and the release history, newest first.
 * @param changelogDirectory one file per version tag; without the directory there is no history
 */
export async function describeVersion(changelogDirectory: string): Promise<Version> {
  return { version, clients: [], releases: await releases(changelogDirectory) }
}

async function releases(directory: string): Promise<Release[]> {
  const names = await readdir(directory).catch(() => [])
  const newestFirst = names
    .filter((name) => tag.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return Promise.all(
    newestFirst.map(async (name) => {
      const notes = await readFile(join(directory, name), 'utf8')
      return { name, date: date.exec(notes)?.[0] ?? '' }
    }),
  )
}
