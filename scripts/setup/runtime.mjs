// Versions and paths of the project's Node. Plain JavaScript of 2019, because the machine's Node, which may be old, runs this.
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Folder of the project's Node and npm, with a folder for each version of Node. */
export const runtimes = join(root, '.runtime')

/** npm's cache where its usual one cannot be written, until the set-up ends. */
export const cache = join(runtimes, 'cache')

const settings = JSON.parse(readFileSync(join(root, 'scripts/setup/runtime.json'), 'utf8'))

/** The version of Node that the project is built for. @type {string} */
export const pinned = settings.pinned
/** The version for a machine that lacks a library of the pinned one. @type {string} */
export const fallback = settings.fallback
/** The oldest accepted Node of the machine, where neither of the two can run. @type {string} */
export const oldest = settings.oldest
/** The version of npm that installs the packages. @type {string} */
export const npm = settings.npm
/** The npm packages that contain Node, by `process.platform` and `process.arch`. @type {Readonly<Record<string, string>>} */
export const packages = settings.packages
/** Checksums of packages, by `name@version`. @type {Readonly<Record<string, string>>} */
export const integrity = settings.integrity

const executable = process.platform === 'win32' ? 'node.exe' : 'node'

/** The npm package with Node for this machine; undefined where there is none. @type {string | undefined} */
export const nodePackage = packages[`${process.platform}-${process.arch}`]

/**
 * Path of an installed Node.
 * @param {string} version
 */
export const nodeOf = (version) =>
  join(runtimes, version, 'node_modules', String(nodePackage), 'bin', executable)

/**
 * Path of the npm that is installed beside a Node.
 * @param {string} version
 */
export function npmOf(version) {
  return join(runtimes, version, 'node_modules', 'npm', 'bin', 'npm-cli.js')
}

/** @param {string} path */
function isInRuntimes(path) {
  return path.startsWith(runtimes + sep)
}

/** Whether the machine's Node runs this script, not an installed one. */
export const isOwnNode = !isInRuntimes(process.execPath)

/** The installed Node that runs this script, and its npm; undefined when the machine's does. */
export const ownRuntime = isOwnNode
  ? undefined
  : { node: process.execPath, npm: npmOf(process.execPath.slice(runtimes.length + 1).split(sep)[0]) }

/**
 * @param {string} version
 * @param {string} least
 */
export function isAtLeast(version, least) {
  const [a, b] = [version, least].map((text) => text.replace(/^v/, '').split('.').map(Number))
  for (const part of [0, 1, 2]) if (a[part] !== b[part]) return a[part] > b[part]
  return true
}

/** Whether the machine's Node is as new as the pinned one, so that none has to be installed. */
export const isOwnNodeNew = isOwnNode && isAtLeast(process.version, `${pinned.split('.')[0]}.0.0`)

/** Whether the dynamic linker finds libatomic, which the pinned Node is linked with on Linux. */
export function hasLibatomic() {
  if (process.platform !== 'linux') return true
  const folders = [
    '/lib',
    '/usr/lib',
    '/lib64',
    '/usr/lib64',
    ...(process.env.LD_LIBRARY_PATH || '').split(':'),
  ]
  const triplets = ['/lib', '/usr/lib'].filter(existsSync).map((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(folder, name)),
  )
  return folders
    .concat(...triplets)
    .some((folder) => folder !== '' && existsSync(join(folder, 'libatomic.so.1')))
}

/** Whether the GNU C library is present, which binaries from npm are linked with. */
export function hasGlibc() {
  const loaders = { x64: '/lib64/ld-linux-x86-64.so.2', arm64: '/lib/ld-linux-aarch64.so.1' }
  return process.platform !== 'linux' || existsSync(String(loaders[process.arch]))
}

/** Whether npm has a Node for this machine. */
export const isOffered = () => nodePackage !== undefined && hasGlibc()

/** What scripts of package.json find as `node`. */
export const link = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** Whether scripts find a Node. That of another user counts, because this user may lack the right to write here. */
export function isAnyLinked() {
  if (process.platform === 'win32' || !existsSync(link)) return existsSync(link)
  const linked = realpathSync(link)
  if (isInRuntimes(linked)) return running().includes(linked)
  return linked !== process.execPath || projectNode() === process.execPath
}

/** Paths of the Nodes that run on this machine, the preferred one first. */
const running = () =>
  isOffered() ? (hasLibatomic() ? [pinned, fallback] : [fallback]).map((version) => nodeOf(version)) : []

/**
 * Path of the project's Node; undefined before `prepare` has chosen one. An installed one may be of an earlier version of the
 * project, or of a machine with other libraries.
 */
export function projectNode() {
  if (isOwnNodeNew) return process.execPath
  const installed = running().find(existsSync)
  if (installed !== undefined) return installed
  if (!isOwnNode || !isAtLeast(process.version, oldest)) return undefined
  // The set-up has linked it if none of the offered ones runs.
  const isChosen = !isOffered() || (existsSync(link) && realpathSync(link) === process.execPath)
  return isChosen ? process.execPath : undefined
}
