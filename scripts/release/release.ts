/**
 * Makes a release. npm runs this as `npm run release -- VERSION [--without-check] [--without-packages]`:
 *   1. requirements.mjs checks the version, the checkout and the release notes, before the set-up of the checkout
 *   2. the release notes of changelog/NEXT become changelog/VERSION, with the date
 *   3. the version is written into every package, the chart and the documentation
 *   4. `.ci/run` runs; if it fails, the changes are undone
 *   5. one commit, and the annotated tag vVERSION
 *   6. `npm run package` makes the packages and their checksums; SVC_SIGNING_KEY signs them
 * Nothing is pushed. SOURCE_DATE_EPOCH sets the date.
 */
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { argv, env, exit } from 'node:process'
import { root } from '../setup/runtime.mjs'
import { changelog, heading, notes, ReleaseError, releaseOf, requireReleasable } from './requirements.mjs'
import { writeVersion } from './version-files.ts'

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { cwd: root, stdio: 'inherit' })

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
  const { version, isChecked, isPackaged } = releaseOf(argv.slice(2))
  release(version, isChecked, isPackaged)
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  exit(error.status)
}
