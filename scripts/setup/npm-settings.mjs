// Settings of npm for the set-up: those of the user apply to other projects, too. Plain JavaScript of 2019, for old Nodes.
import { accessSync, constants, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { cache } from './runtime.mjs'

/** Arguments of every call. They win over the user's settings, which may prevent an installation or change its result. */
export const common = [
  // The progress counts lines: there is one for each package.
  ...['--loglevel=http', '--no-color', '--heading=npm'],
  ...['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier'],
  // Checksums verify the packages, so npm may use its cache.
  '--prefer-offline',
  // Reports a missing network within seconds; by default npm takes minutes.
  ...[
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=500',
    '--fetch-retry-maxtimeout=3000',
    '--fetch-timeout=60000',
  ],
  // Installs into the folder, with links to the programs.
  ...['--no-global', '--location=user', '--install-strategy=hoisted', '--bin-links'],
  ...['--no-dry-run', '--package-lock', '--no-package-lock-only', '--no-engine-strict'],
  // The checkout names each version, of any age, and the packages are for this machine. npm takes the argument after --no-cpu as
  // its value.
  ...['--no-before', '--cpu=null', '--os=null', '--libc=null'],
]

/** Lets npm keep packages in the checkout when this user cannot write to npm's cache. */
export function cacheArgument() {
  const usual = process.env.npm_config_cache || join(homedir(), '.npm')
  return process.platform === 'win32' || isWritable(usual) ? [] : [`--cache=${cache}`]
}

/** Whether npm can create a folder, and write to its parts that exist. */
function isWritable(folder) {
  const parts = ['_cacache', '_cacache/tmp', '_cacache/index-v5', '_cacache/content-v2']
  const existing = parts.map((part) => join(folder, part)).filter(existsSync)
  try {
    for (const path of [nearestExisting(folder), ...existing])
      accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function nearestExisting(path) {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

/**
 * The setting that made npm fail; undefined when it was something else.
 * @param {string} output output of npm
 */
export function explainSetting(output) {
  if (/\bENOTCACHED\b/.test(output))
    return 'npm may not use the network: its setting offline is on (npm config get offline). Try again with npm_config_offline=false'
  const cause = /\b(ETARGET|EBADPLATFORM)\b/.exec(output)
  if (cause === null) return undefined
  const names = cause[1] === 'ETARGET' ? 'before, min-release-age or registry' : 'cpu, os or libc'
  const [line = ''] = /No matching version.*|notsup.*/.exec(output) || []
  return `npm refuses a package that the checkout names (${cause[1]}: ${line}). Look at its settings ${names}: npm config ls`
}
