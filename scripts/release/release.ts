/**
 * Makes a release. npm runs this as `npm run release -- VERSION [--without-check] [--without-packages]`:
 *   1. the release notes of changelog/NEXT become changelog/VERSION, with the date
 *   2. the version is written into every package, the chart and the documentation
 *   3. `.ci/run` runs; if it fails, the changes are undone
 *   4. one commit, and the annotated tag vVERSION
 *   5. `npm run package` makes the packages and their checksums; SVC_SIGNING_KEY signs them
 * Nothing is pushed. SOURCE_DATE_EPOCH sets the date.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env, exit } from 'node:process'
import { parseArgs } from 'node:util'
import { root } from '../setup/runtime.mjs'
import { currentVersion, writeVersion } from './version-files.ts'

/** A reason why there is no release, as a sentence for the person who makes it. */
class ReleaseError extends Error {}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit' })
const changelog = (name: string) => join(root, 'changelog', name)

/** The first line of changelog/NEXT. */
const heading = 'Next release'

const numbersOf = (version: string) => version.split('.').map(Number)

function isOlder(version: string, than: string): boolean {
  const others = numbersOf(than)
  const [difference = 0] = numbersOf(version)
    .map((number, index) => number - (others[index] ?? 0))
    .filter((number) => number !== 0)
  return difference < 0
}

/** @throws ReleaseError when the version or the checkout does not fit a release */
function requireReleasable(version: string): void {
  const current = currentVersion()
  if (!/^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(version))
    throw new ReleaseError(`“${version}” is not a version: write MAJOR.MINOR.PATCH, such as 1.4.0`)
  if (isOlder(version, current))
    throw new ReleaseError(`${version} is older than the current version, ${current}`)
  if (git('tag', '--list', `v${version}`) !== '' || existsSync(changelog(version)))
    throw new ReleaseError(`${version} is released already`)
  if (git('status', '--porcelain') !== '')
    throw new ReleaseError('the checkout has changes that are not committed: commit or stash them')
  if (notes() === '') throw new ReleaseError('changelog/NEXT has no release notes')
}

/** The release notes of the next version, without their heading. */
const notes = () => readFileSync(changelog('NEXT'), 'utf8').replace(heading, '').trim()

/** Milliseconds since 1970. */
const now = () =>
  env['SOURCE_DATE_EPOCH'] === undefined ? Date.now() : Number(env['SOURCE_DATE_EPOCH']) * 1000

/** @returns the paths of the written files, from the root */
function writeRelease(version: string): readonly string[] {
  const date = new Date(now()).toISOString().slice(0, 10)
  writeFileSync(changelog(version), `Release ${version}, ${date}\n\n${notes()}\n`)
  writeFileSync(changelog('NEXT'), `${heading}\n`)
  return ['changelog/NEXT', ...writeVersion(version)]
}

function release(version: string, isChecked: boolean, isPackaged: boolean): void {
  requireReleasable(version)
  const written = writeRelease(version)
  const notesFile = `changelog/${version}`
  try {
    if (isChecked) run('.ci/run')
    // Other files may have been changed during the check, which takes long.
    git('add', notesFile)
    git('commit', '--message', `release: version ${version}`, '--', notesFile, ...written)
  } catch (error) {
    git('rm', '--cached', '--quiet', '--ignore-unmatch', notesFile)
    rmSync(changelog(version), { force: true })
    git('checkout', '--quiet', 'HEAD', '--', ...written)
    throw error instanceof Error && 'status' in error
      ? new ReleaseError('the check or the commit failed (see above): the files are as before')
      : error
  }
  git('tag', '--annotate', `v${version}`, '--message', `Svc ${version}`)
  if (isPackaged) run('npm', 'run', 'package')
  console.log(`Svc ${version} is committed and tagged${isPackaged ? ', and its packages are in dist/' : ''}. Publish it:
  git push origin HEAD v${version}`)
}

try {
  const { values, positionals } = parseArgs({
    options: { 'without-check': { type: 'boolean' }, 'without-packages': { type: 'boolean' } },
    allowPositionals: true,
  })
  const [version, ...others] = positionals
  if (version === undefined || others.length > 0)
    throw new ReleaseError(
      'give the version: npm run release -- VERSION [--without-check] [--without-packages]',
    )
  release(version, values['without-check'] !== true, values['without-packages'] !== true)
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error
  if (!(error instanceof ReleaseError) && !isUsage) throw error
  console.error(error.message)
  exit(isUsage ? 2 : 1)
}
