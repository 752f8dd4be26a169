// What a release needs: its version, a clean checkout and release notes. Plain JavaScript of 2019, because the machine's Node, which may
// be old, runs this before the set-up.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../setup/runtime.mjs'

/** A reason why there is no release, as a sentence for the person who makes it. */
export class ReleaseError extends Error {
  /**
   * @param {string} message
   * @param {number} status exit status of the process
   */
  constructor(message, status = 1) {
    super(message)
    this.status = status
  }
}

const withoutCheck = '--without-check'
const withoutPackages = '--without-packages'

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** @param {string} name */
export const changelog = (name) => join(root, 'changelog', name)

/** The first line of changelog/NEXT. */
export const heading = 'Next release'

/** The release notes of the next version, without their heading. */
export const notes = () => readFileSync(changelog('NEXT'), 'utf8').replace(heading, '').trim()

/** @param {string} version */
const numbersOf = (version) => version.split('.').map(Number)

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const others = numbersOf(than)
  const [difference = 0] = numbersOf(version)
    .map((number, index) => number - (others[index] || 0))
    .filter((number) => number !== 0)
  return difference < 0
}

/**
 * Parses the arguments of a release.
 * @param {readonly string[]} args
 * @throws {ReleaseError}
 */
export function releaseOf(args) {
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== withoutCheck && arg !== withoutPackages)
  if (unknown !== undefined) throw new ReleaseError(`unknown option ${unknown}`, 2)
  const [version, ...others] = args.filter((arg) => !arg.startsWith('-'))
  if (version === undefined || others.length > 0)
    throw new ReleaseError(
      `give the version: npm run release -- VERSION [${withoutCheck}] [${withoutPackages}]`,
    )
  return { version, isChecked: !args.includes(withoutCheck), isPackaged: !args.includes(withoutPackages) }
}

/**
 * @param {string} version
 * @throws {ReleaseError} when the version or the checkout does not fit a release
 */
export function requireReleasable(version) {
  const { version: current } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
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

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    requireReleasable(releaseOf(process.argv.slice(2)).version)
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    console.error(error.message)
    process.exit(error.status)
  }
}
