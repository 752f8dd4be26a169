// Runs npm, shows how far it is, and explains its failures in a line. Plain JavaScript of 2019, for old Nodes.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { showProgress } from './progress.mjs'

/** What went wrong, in words that say what to do. The program ends with it. */
export class SetupError extends Error {}

const common = [
  // A line for each package that comes: the progress counts them.
  '--loglevel=http',
  ...['--no-audit', '--no-fund', '--no-progress', '--no-update-notifier'],
  // Checksums decide what is installed, so that nothing is lost by taking it from npm's cache.
  '--prefer-offline',
  // A missing network is reported in seconds; by itself npm would take minutes.
  ...[
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=500',
    '--fetch-retry-maxtimeout=3000',
    '--fetch-timeout=60000',
  ],
]

/** The certificates that the machine trusts, in one file: Debian and Alpine; Fedora; SUSE. */
const systemCertificates = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
].find(existsSync)

/** A package that has come from the registry or from npm's cache; a failed attempt has a line, too. */
const hasCome = /^npm http (cache|fetch [A-Z]+ [23]\d\d) /

/**
 * Runs npm to its end.
 * @param {readonly string[]} args
 * @param {{
 *   readonly folder: string,
 *   readonly what: string,
 *   readonly total: number,
 *   readonly runtime?: { readonly node: string, readonly npm: string },
 * }} options what: shown beside the progress; total: packages to come; runtime: what runs npm instead of the machine's own
 * @returns {Promise<void>}
 */
export function runNpm(args, { folder, what, total, runtime }) {
  const [command, ...first] = npmCommand(runtime)
  const path = runtime === undefined ? [] : [dirname(runtime.node)]
  const child = spawn(command, [...first, ...args, ...common], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Certificates that the machine trusts, such as those of a company's proxy: a Node from npm has its own list. Nodes
    // before 22.15 do not know the first of these.
    env: {
      NODE_USE_SYSTEM_CA: '1',
      ...(systemCertificates !== undefined && { NODE_EXTRA_CA_CERTS: systemCertificates }),
      ...process.env,
      PATH: [...path, process.env.PATH].join(delimiter),
    },
    shell: first.length === 0 && process.platform === 'win32',
  })
  const progress = showProgress(what, total)
  const messages = []
  let rest = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (/^npm (http|timing|info)/.test(line)) progress.count(hasCome.test(line) ? 1 : 0)
      else if (line !== '') messages.push(line)
    }
  })
  return new Promise((resolve, reject) => {
    child.on('error', () =>
      reject(new SetupError('npm is missing: install it (Debian, Ubuntu: apt-get install npm)')),
    )
    child.on('close', (status) => {
      progress.end()
      if (status === 0) resolve()
      else reject(new SetupError(explain([...messages, rest].join('\n'), folder)))
    })
  })
}

function npmCommand(runtime) {
  if (runtime !== undefined) return [runtime.node, runtime.npm]
  const { npm_execpath: cli, npm_config_user_agent: agent = '' } = process.env
  const version = /^npm\/(\d+)/.exec(agent)
  if (version !== null && Number(version[1]) < 7)
    throw new SetupError(
      `npm ${version[1]} is too old: install npm 7 or newer, which comes with Node 16 or newer`,
    )
  // yarn and pnpm set the same variable.
  return cli === undefined || version === null ? ['npm'] : [process.execPath, cli]
}

/** @param {string} output of npm @param {string} folder */
export function explain(output, folder) {
  const code = /\b(ENOSPC|EROFS|EACCES|EPERM|EINTEGRITY|E40[13]|E404|ETARGET|EBADENGINE|EUSAGE)\b/.exec(
    output,
  )
  const network =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)\b/.exec(
      output,
    )
  const certificate =
    /\b(SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)_\w+|CERT_\w+|ERR_TLS_CERT_\w+)\b/.exec(
      output,
    )
  const kind = code === null ? '' : code[1]
  if (kind === 'ENOSPC') return `the disk of ${folder} is full: free about 1 GB and try again`
  if (kind === 'EROFS' || kind === 'EACCES' || kind === 'EPERM')
    return `npm cannot write (${kind}): ${lastLines(output)}`
  if (certificate !== null)
    return `npm does not trust the certificate of its package registry (${certificate[1]}): add the certificate of your proxy to those of the system (Debian, Ubuntu: copy it to /usr/local/share/ca-certificates and run update-ca-certificates), and try again`
  if (network !== null)
    return `npm cannot reach its package registry (${network[1]}): check the network, or set a proxy (npm config set proxy URL), and try again`
  if (kind === 'EINTEGRITY')
    return 'a package is not the one that the lock file names (EINTEGRITY): run npm cache verify and try again'
  return `npm failed: ${lastLines(output)}`
}

const lastLines = (output) =>
  output
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!|warn|WARN) ?/, '').trim())
    .filter(
      (line) => line !== '' && !line.includes('complete log of this run') && !line.includes('-debug-0.log'),
    )
    .slice(0, 4)
    .join(' · ')
