import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { nodePackage } from '../../../scripts/setup/runtime.mjs'

const checkout = resolve(import.meta.dirname, '../../..')
const fakeNpmFile = join(import.meta.dirname, 'fake-npm.mjs')

/** One package that no registry has: every request for it fails. */
const lock = {
  name: 'checkout',
  lockfileVersion: 3,
  packages: {
    '': { name: 'checkout', dependencies: { missing: '1.0.0' } },
    'node_modules/missing': {
      version: '1.0.0',
      integrity: `sha512-${'A'.repeat(86)}==`,
      cpu: [process.arch],
      os: [process.platform],
    },
  },
}

/**
 * Makes a folder, readable for everyone, that has what sets up a checkout.
 * @returns its path
 */
export function emptyCheckout(folder: string): string {
  for (const part of ['scripts/setup', 'scripts/prepare.mjs', 'scripts/run.sh'])
    cpSync(join(checkout, part), join(folder, part), { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'checkout', dependencies: { missing: '1.0.0' } }),
  )
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return folder
}

/**
 * Copies the tests' Node to where every user can run it: a checkout may be in the home of a user.
 * @returns its path
 */
export function nodeForEveryone(folder: string): string {
  const node = join(folder, 'node')
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  return node
}

const prepareScript = (folder: string): string => join(folder, 'scripts/prepare.mjs')

export interface Environment {
  readonly env?: Readonly<Record<string, string>>
  /** Shell commands that run first, as root and with separate mounts. */
  readonly mounts?: string
  /** The Node that runs it, instead of that of the tests. */
  readonly node?: string
  /** Another command than the set-up alone. */
  readonly command?: readonly string[]
  /** Whose process it is. */
  readonly uid?: number
}

/**
 * Sets up a checkout.
 * @returns its exit code and what it wrote
 */
export async function setUp(folder: string, environment: Environment = {}) {
  const child = setUpProcess(folder, environment)
  const closed = once(child, 'close') as Promise<[number | null]>
  const [output, [status]] = await Promise.all([text(child.stderr), closed])
  return { status, output }
}

/** The process that does so. */
export function setUpProcess(
  folder: string,
  { env = {}, mounts, node = process.execPath, command = [node, prepareScript(folder)], uid }: Environment,
) {
  const mounted = ['unshare', '--mount', 'sh', '-ec', `${mounts ?? ''}\nexec "$@"`, 'sh', ...command]
  const [program = '', ...args] = mounts === undefined ? command : mounted
  const cache = `${folder}-cache`
  mkdirSync(cache, { recursive: true })
  return spawn(program, args, {
    ...(uid !== undefined && { uid }),
    env: {
      PATH: [dirname(process.execPath), process.env['PATH']].join(':'),
      HOME: cache,
      npm_config_cache: cache,
      npm_config_registry: 'http://127.0.0.1:1/',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

/**
 * Lets a set-up use an npm without a registry, which installs each Node as a script that starts that of the tests.
 * @returns variables for the set-up, and the arguments of each call so far
 */
export function fakeNpm(folder: string) {
  const log = `${folder}-npm-calls`
  writeFileSync(log, '')
  const calls = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as readonly string[])
  const env = {
    npm_execpath: fakeNpmFile,
    npm_config_user_agent: 'npm/11.0.0 node/v26.0.0',
    FAKE_NPM_LOG: log,
    FAKE_NPM_CHECKSUMS: join(folder, 'scripts/setup/runtime.json'),
  }
  return { env, calls }
}

/**
 * Installs the tests' Node in a checkout, as if it were some version of the project's.
 * @returns its path
 */
export function installedNode(folder: string, version: string): string {
  const modules = join(folder, '.runtime', version, 'node_modules')
  const bin = join(modules, String(nodePackage), 'bin')
  mkdirSync(bin, { recursive: true })
  cpSync(fakeNpmFile, join(modules, 'npm/bin/npm-cli.js'))
  return nodeForEveryone(bin)
}
