// Installs the project's Node, and an npm for it. Plain JavaScript of 2019, for old Nodes.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { runNpm, SetupError } from './npm.mjs'
import {
  fallback,
  hasGlibc,
  hasLibatomic,
  integrity,
  isAtLeast,
  isOwnNode,
  isOffered,
  isOwnNodeNew,
  nodeOf,
  nodePackage,
  npm,
  npmOf,
  oldest,
  ownRuntime,
  pinned,
  runtimes,
} from './runtime.mjs'

/**
 * Chooses the project's Node, and installs it unless it is that of the machine: the machine's Node when it is as new as the
 * pinned one, otherwise the pinned one, or the fallback where a library is missing.
 * @returns {Promise<{ readonly node: string, readonly npm?: string, readonly notice?: string }>} npm is absent with the machine's Node
 */
export async function chooseRuntime() {
  if (isOwnNodeNew) return { node: process.execPath }
  if (!isOffered()) return ownNodeInstead()
  if (hasLibatomic() && runs(await installNode(pinned))) return runtimeOf(pinned)
  if (integrity[`${nodePackage}@${fallback}`] !== undefined && runs(await installNode(fallback))) {
    removeRuntime(pinned)
    const notice = `Node ${fallback} is used, which is slower than Node ${pinned}: that one needs libatomic (${howToInstallLibatomic()})`
    return { ...runtimeOf(fallback), notice }
  }
  return ownNodeInstead()
}

const runtimeOf = (version) => ({ node: nodeOf(version), npm: npmOf(version) })

function ownNodeInstead() {
  const reason =
    nodePackage === undefined
      ? `npm has no Node ${pinned} for ${process.platform}-${process.arch}`
      : hasGlibc()
        ? `Node ${pinned} and ${fallback} do not run on this machine`
        : `Node ${pinned} needs the GNU C library, which this system lacks`
  for (const version of [pinned, fallback]) removeRuntime(version)
  if (isOwnNode && isAtLeast(process.version, oldest))
    return { node: process.execPath, notice: `${reason}: Node ${process.version} of the system is used` }
  const own = isOwnNode ? `, and the system's own Node ${process.version} is too old` : ''
  const hint = isLike('alpine') ? ' (Alpine 3.23 or newer: apk add nodejs npm)' : ''
  throw new SetupError(`${reason}${own}: install Node ${oldest} or newer${hint}`)
}

/** Installs a Node unless it is installed. A temporary folder holds it first, so that an incomplete one is never used. */
async function installNode(version) {
  const node = nodeOf(version)
  if (fs.existsSync(node) && fs.existsSync(npmOf(version))) return node
  fs.mkdirSync(runtimes, { recursive: true })
  const folder = fs.mkdtempSync(join(runtimes, 'new-'))
  try {
    fs.writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    const packages = [`${nodePackage}@${version}`, `npm@${npm}`]
    await runNpm(['install', '--no-save', '--ignore-scripts', '--include=optional', ...packages], {
      folder,
      what: `Fetching Node ${version}`,
      total: 4,
      // An earlier version of the project's Node, or the fallback after the missing library is installed.
      ...(ownRuntime !== undefined && { runtime: ownRuntime }),
    })
    checkIntegrity(folder, packages)
    // Only the owner can read a temporary folder, but another user may run the server.
    fs.chmodSync(folder, 0o777 & ~process.umask())
    removeRuntime(version)
    fs.renameSync(folder, join(runtimes, version))
  } catch (error) {
    // Another process may have installed it meanwhile.
    if (!fs.existsSync(node)) throw error
  } finally {
    removeFolder(folder)
  }
  return node
}

/** The registry's checksum protects the transfer; the project's checksum identifies the tested package. */
function checkIntegrity(folder, wanted) {
  const lock = JSON.parse(fs.readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'))
  for (const name of wanted) {
    const at = name.lastIndexOf('@')
    const found = lock.packages[`node_modules/${name.slice(0, at)}`]
    if (found === undefined || found.integrity !== integrity[name])
      throw new SetupError(
        `${name} is not the package that scripts/setup/runtime.json names: its checksum differs`,
      )
  }
}

const runs = (node) => spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0

const removeFolder = (folder) => fs.rmSync(folder, { recursive: true, force: true })
const removeRuntime = (version) => removeFolder(join(runtimes, version))

function howToInstallLibatomic() {
  if (isLike('debian|ubuntu')) return 'apt-get install libatomic1'
  if (isLike('fedora|rhel|suse')) return 'dnf install libatomic'
  return "install your system's package of libatomic.so.1"
}

/**
 * Whether the system is one of these, or derived from one.
 * @param {string} names
 */
function isLike(names) {
  const release = fs.existsSync('/etc/os-release') ? fs.readFileSync('/etc/os-release', 'utf8') : ''
  return new RegExp(`^ID(_LIKE)?=.*(${names})`, 'm').test(release)
}
