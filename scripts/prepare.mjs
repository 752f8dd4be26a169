// Prepares a checkout in any state for starting and testing: installs the project's Node and the packages of the lock file,
// builds the web application, the server's bundle and the command-line clients. Quick when there is nothing to do. Plain
// JavaScript of 2019, because the machine's Node, which may be old, runs this.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseRuntime } from './setup/install-runtime.mjs'
import { runNpm, SetupError } from './setup/npm.mjs'
import { oneAtATime } from './setup/one-at-a-time.mjs'
import { removeCache, removeInterrupted, removeOldNodes } from './setup/leftovers.mjs'
import refuseOldNode from './setup/node-version.cjs'
import {
  fallback,
  hasLibatomic,
  isAnyLinked,
  link,
  nodeOf,
  projectNode,
  root,
  runtimes,
} from './setup/runtime.mjs'

const modules = join(root, 'node_modules')
const installedLock = join(modules, '.installed-lock')

/** Bytes for the packages, Node, the builds and temporary files. */
const neededBytes = 1.2e9
/** Bytes that the server does not use for uploads: the default of MinFreeSpaceStr. */
const reservedBytes = 1e9

/** The results of builds, their sources and their programs. */
const builds = [
  {
    what: 'the web application',
    result: 'webapp/dist/index.html',
    // Not the whole folder: its time changes when the result is written to it.
    sources: [
      'webapp/src',
      'webapp/public',
      'webapp/plugins',
      'webapp/index.html',
      'webapp/package.json',
      'webapp/vite.config.ts',
      'sdk/src',
      'encryption/src',
      'assembler/src',
      'contract/src',
      'package-lock.json',
    ],
    command: ['node_modules/vite/bin/vite.js', 'build', 'webapp', '--logLevel=warn'],
  },
  {
    what: 'the server',
    result: 'server/dist/bundle/main.js',
    sources: [
      'server/src',
      'server/package.json',
      'assembler/src',
      'terminal/src',
      'contract/src',
      'package-lock.json',
      'scripts/bundle/bundle-server.ts',
    ],
    command: ['scripts/bundle/bundle-server.ts'],
  },
  {
    what: 'the command-line clients',
    result: 'clients/svc.mjs',
    sources: [
      'cli',
      'sdk/src',
      'encryption/src',
      'assembler/src',
      'terminal/src',
      'contract/src',
      'package-lock.json',
      'scripts/bundle/bundle-cli.ts',
      'scripts/bundle/cli-bundle.ts',
      'scripts/bundle/deferred.ts',
      'scripts/bundle/lazy-builtins.ts',
    ],
    command: ['scripts/bundle/bundle-cli.ts'],
  },
]

/** @returns {Promise<void>} ends the process with one line that names the missing requirement */
export async function prepare() {
  refuseOldNode()
  try {
    // A user may run a checkout that another user has set up, without the right to write here.
    if (isReady()) return
    if (!isInstalled()) checkFolder()
    await oneAtATime(join(runtimes, 'set-up'), setUp)
  } catch (error) {
    if (!(error instanceof SetupError) && error.code === undefined) throw error
    console.error(`Svc cannot be set up: ${error instanceof SetupError ? error.message : reasonOf(error)}.`)
    process.exit(1)
  }
}

const isReady = () => isInstalled() && !builds.some(isOutdated)

async function setUp() {
  if (!isInstalled()) await installPackages().finally(removeCache)
  for (const build of builds) if (isOutdated(build)) runBuild(build)
}

/** The files that decide which packages are installed. */
function readLock() {
  const text = fs.readFileSync(join(root, 'package-lock.json'), 'utf8')
  const lock = createHash('sha256').update(text).digest('hex')
  const isCurrent = fs.existsSync(installedLock) && fs.readFileSync(installedLock, 'utf8') === lock
  return { text, lock, isCurrent }
}

function isInstalled() {
  const node = projectNode()
  if (node === undefined || !readLock().isCurrent) return false
  const isFallbackNeedless = node === nodeOf(fallback) && hasLibatomic()
  return !isFallbackNeedless && isAnyLinked()
}

async function installPackages() {
  removeInterrupted()
  const { text, lock, isCurrent } = readLock()
  const runtime = await chooseRuntime()
  if (runtime.notice !== undefined) console.error(runtime.notice)
  if (!isCurrent) {
    // An installation that is interrupted from here on starts again, regardless of the lock file.
    fs.rmSync(installedLock, { force: true })
    const total = Object.keys(JSON.parse(text).packages).length
    const { node, npm } = runtime
    await runNpm(['ci', '--include=dev', '--include=optional', '--ignore-scripts'], {
      folder: root,
      what: 'Installing packages',
      total,
      ...(npm !== undefined && { runtime: { node, npm } }),
    })
  }
  linkNode(runtime.node)
  if (!isCurrent) fs.writeFileSync(installedLock, lock)
  removeOldNodes()
}

const isLinked = (node) =>
  fs.existsSync(link) && (process.platform === 'win32' || fs.realpathSync(link) === fs.realpathSync(node))

/** Scripts of package.json find the project's Node as `node`. */
function linkNode(node) {
  const target = process.platform === 'win32' ? `@"${node}" %*\r\n` : relative(dirname(link), node)
  if (process.platform === 'win32') {
    fs.writeFileSync(link, target)
    return
  }
  if (isLinked(node)) return
  fs.rmSync(link, { force: true })
  fs.symlinkSync(target, link)
}

/** Checks the requirements before the installation starts. */
function checkFolder() {
  checkFileSystem()
  if (readLock().isCurrent || fs.statfsSync === undefined) return
  const { bavail, bsize } = fs.statfsSync(root)
  if (bavail * bsize < neededBytes)
    throw new SetupError(
      `${root} has ${gigabytes(bavail * bsize)} of free space, and ${gigabytes(neededBytes + reservedBytes)} are needed: ${gigabytes(neededBytes)} for the set-up, and ${gigabytes(reservedBytes)} that the server keeps free (MinFreeSpaceStr)`,
    )
}

/** Writes a program and runs it. */
function checkFileSystem() {
  const probe = join(root, `.svc-probe-${process.pid}`)
  try {
    fs.writeFileSync(probe, '#!/bin/sh\n', { mode: 0o755 })
    const { error } = process.platform === 'win32' ? {} : spawnSync(probe)
    fs.unlinkSync(probe)
    if (error !== undefined && error.code === 'EACCES')
      throw new SetupError(
        `${root} is on a file system that runs no programs (mounted with noexec): move the checkout to another one, or mount it with exec`,
      )
  } catch (error) {
    if (error instanceof SetupError) throw error
    throw Object.assign(error, { path: root })
  }
}

const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`

/** The file with the start time of the last complete build of a result. */
const stampOf = ({ result }) => join(modules, `.built-${result.replace(/\//g, '-')}`)

function isOutdated(build) {
  if (!fs.existsSync(join(root, build.result)) || !fs.existsSync(stampOf(build))) return true
  const { mtimeMs } = fs.statSync(stampOf(build))
  return mtimeMs < Math.max(...build.sources.map((source) => newest(join(root, source))))
}

function runBuild(build) {
  const { what, command } = build
  console.error(`Building ${what} …`)
  const begun = new Date()
  const node = projectNode()
  const { status } = spawnSync(node, command, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // A test runner that started this process has set 'test'.
    env: { ...process.env, NODE_ENV: 'production', PATH: dirname(node) + delimiter + process.env.PATH },
  })
  if (status !== 0) throw new SetupError(`${what} could not be built, see above`)
  fs.writeFileSync(stampOf(build), '')
  fs.utimesSync(stampOf(build), begun, begun)
}

/** Time of the last change below a path, in milliseconds. */
function newest(path) {
  const stat = fs.statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = fs.readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(join(path, name))))
}

function reasonOf({ code, path = root, message }) {
  if (code === 'EROFS')
    return `${path} is on a read-only file system: copy the checkout to a folder that can be written`
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} cannot be written by this user: change its owner (chown), or clone the project again as this user`
  if (code === 'ENOSPC') return `the disk of ${path} is full: ${gigabytes(neededBytes)} are needed`
  return message
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare()
