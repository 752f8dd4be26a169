import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'

const checkout = resolve(import.meta.dirname, '../../..')

/** One package that no registry has: every request for it fails. */
const lock = {
  name: 'checkout',
  lockfileVersion: 3,
  packages: {
    '': { name: 'checkout', dependencies: { missing: '1.0.0' } },
    'node_modules/missing': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` },
  },
}

/**
 * Makes a folder, readable for everyone, that has what sets up a checkout.
 * @returns its path
 */
export function emptyCheckout(folder: string): string {
  for (const part of ['scripts/setup', 'scripts/prepare.mjs'])
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

export interface Environment {
  readonly env?: Readonly<Record<string, string>>
  /** Shell commands that run first, as root and with separate mounts. */
  readonly mounts?: string
  /** The Node that runs it, instead of that of the tests. */
  readonly node?: string
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
  { env = {}, mounts, node = process.execPath, uid }: Environment,
) {
  const command = [node, join(folder, 'scripts/prepare.mjs')]
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
