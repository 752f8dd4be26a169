/**
 * Installs the Debian packages that the tests use, on systems with apt-get and as root, Schemathesis, the checkers of npm, Deno and Bun. Otherwise it prints
 * the command, and the tests that need the packages are skipped. `SVC_TEST_SETUP=none` skips the installation.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { showProgress } from '../setup/progress.mjs'
import { installCheckers } from './checkers.ts'
import { isInstalled, packages } from './programs.ts'
import { installDeploymentTools } from './deployment-tools.ts'
import { buildGoTools } from './go-tools.ts'
import { installRuntimes } from './runtimes/runtimes.ts'
import { installSchemathesis } from './schemathesis.ts'

/** Names of packages in other releases of Debian. */
const otherNames: Readonly<Record<string, string>> = { 'p7zip-full': '7zip' }

const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' }
const quiet = [
  '-q',
  '-y',
  '--no-install-recommends',
  '-o',
  'DPkg::Lock::Timeout=300',
  '-o',
  'Dpkg::Use-Pty=0',
]

/** Packages by whether this system has them: another release, or Ubuntu, lacks some, and apt-get would install none of the others. */
function available(wanted: readonly string[]): {
  readonly names: readonly string[]
  readonly lacking: readonly string[]
} {
  const candidates = [...wanted, ...Object.values(otherNames)]
  const { stdout } = spawnSync('apt-cache', ['policy', ...candidates], { encoding: 'utf8', env: environment })
  const known = new Set(
    [...stdout.matchAll(/^(\S+):\n.*\n +Candidate: (?!\(none\))/gm)].map(([, name]) => name),
  )
  const found = wanted.map((name) => [name, otherNames[name]].find((candidate) => known.has(candidate)))
  return {
    names: found.filter((name) => name !== undefined),
    lacking: wanted.filter((_, index) => found[index] === undefined),
  }
}

/** Prevents packages from starting their servers, because the tests start servers themselves. */
const policy = '/usr/sbin/policy-rc.d'

async function install(names: readonly string[]): Promise<string | null> {
  const args = ['install', ...quiet, ...names]
  const plan = spawnSync('apt-get', ['-s', ...args], { encoding: 'utf8', env: environment })
  const total = plan.stdout.match(/^Inst /gm)?.length ?? names.length
  const hadPolicy = existsSync(policy)
  if (!hadPolicy) {
    writeFileSync(policy, '#!/bin/sh\nexit 101\n')
    chmodSync(policy, 0o755)
  }
  const progress = showProgress(`Installing ${String(total)} packages of the system for the tests`, 2 * total)
  try {
    const apt = spawn('apt-get', args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    apt.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
    const closed = once(apt, 'close')
    for await (const line of createInterface(apt.stdout))
      if (/^(Get:|Unpacking|Setting up)/.test(line)) progress.count(line.startsWith('Get:') ? 0.5 : 0.75)
    const [status] = (await closed) as [number | null]
    return status === 0 ? null : (errors.trim().split('\n').at(-1) ?? 'apt-get failed')
  } finally {
    progress.end()
    if (!hadPolicy) rmSync(policy)
  }
}

const missing = process.env['SVC_TEST_SETUP'] === 'none' ? [] : packages.filter((name) => !isInstalled(name))
if (missing.length > 0) {
  if (!existsSync('/usr/bin/apt-get')) {
    console.error(`Tests that need these programs are skipped: ${missing.join(', ')}`)
  } else if (process.getuid?.() !== 0) {
    const { names, lacking } = available(missing)
    const install = (which: readonly string[]) => `sudo apt-get install ${which.join(' ')}`
    if (names.length === 0) console.error(`To test more: sudo apt-get update && ${install(missing)}`)
    else console.error(`To test more: ${install(names)}`)
    if (names.length > 0 && lacking.length > 0) console.error(`apt-get does not know: ${lacking.join(', ')}`)
  } else {
    spawnSync('apt-get', ['update', '-qq'], { env: environment, stdio: 'ignore' })
    const { names } = available(missing)
    const fault = names.length === 0 ? null : await install(names)
    if (fault !== null)
      console.error(`apt-get could not install everything (${fault}): tests of missing programs are skipped`)
  }
}

if (process.env['SVC_TEST_SETUP'] !== 'none') {
  const fault = installSchemathesis()
  if (fault !== null) console.error(`Schemathesis could not be installed (${fault}): its test is skipped`)
  const npmFault = await installCheckers()
  if (npmFault !== null)
    console.error(`The checkers could not be installed (${npmFault}): their tests are skipped`)
  const missed = await installRuntimes()
  if (missed !== null)
    console.error(`Deno and Bun could not be installed (${missed}): their tests are skipped`)
  const toolsFault = installDeploymentTools()
  if (toolsFault !== null)
    console.error(`tools for deployments could not be installed (${toolsFault}): their tests are skipped`)
}
if (process.env['SVC_TEST_GO'] === '1')
  for (const fault of buildGoTools()) console.error(`not built: ${fault}`)
