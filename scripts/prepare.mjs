// Brings a checkout from whatever state it is in to one that can be started and tested: packages as the lock
// file says (the pinned Node is one of them), the web application, the server's bundle and the command-line clients built. Quick when there
// is nothing to do.
// Plain JavaScript, for the Node that the machine happens to have.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedNode, root } from './pinned-node.mjs'

const installed = join(root, 'node_modules', '.installed-lock')

/** What is built, from what, and how. */
const builds = [
  {
    what: 'the web application',
    result: 'webapp/dist/index.html',
    sources: ['webapp', 'sdk/src', 'encryption/src', 'assembler/src', 'contract/src', 'package-lock.json'],
    command: ['run', '--silent', 'build', '--workspace', '@svc/webapp', '--', '--logLevel=warn'],
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
      'scripts/bundle-server.ts',
    ],
    command: ['run', '--silent', 'bundle'],
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
      'scripts/bundle-cli.ts',
      'scripts/cli-bundle.ts',
      'scripts/lazy-builtins.ts',
    ],
    command: ['run', '--silent', 'bundle:cli'],
  },
]

export function prepare() {
  installPackages()
  for (const build of builds) if (isOutdated(build)) runBuild(build)
}

function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock && pinnedNode() !== undefined) return
  console.error('Installing packages (once, about a minute) …')
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (pinnedNode() === undefined)
    fail('npm did not install the pinned Node; was it told to leave out optional packages?')
  writeFileSync(installed, lock)
}

function isOutdated({ result, sources }) {
  const path = join(root, result)
  return (
    !existsSync(path) ||
    statSync(path).mtimeMs < Math.max(...sources.map((source) => newest(join(root, source))))
  )
}

function runBuild({ what, command }) {
  console.error(`Building ${what} …`)
  npm(command, { NODE_ENV: 'production' }) // a test runner, which may have begun this, says 'test'
}

/** Time of the last change below a path, in milliseconds. */
function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const names = readdirSync(path).filter((name) => name !== 'dist' && name !== 'node_modules')
  return Math.max(stat.mtimeMs, ...names.map((name) => newest(join(path, name))))
}

function npm(args, environment = {}) {
  const cli = process.env.npm_execpath
  const [command, first] = cli === undefined ? ['npm', []] : [process.execPath, [cli]]
  const node = pinnedNode()
  const path = node === undefined ? process.env.PATH : join(node, '..') + delimiter + process.env.PATH
  const { status } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: { ...process.env, PATH: path, ...environment },
    shell: cli === undefined && process.platform === 'win32',
  })
  if (status !== 0) fail(`npm ${args.join(' ')} failed`)
}

function fail(reason) {
  console.error(reason)
  process.exit(1)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare()
