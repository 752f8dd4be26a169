// Runs npm, shows its progress, and explains its failures in a line. Plain JavaScript of 2019, for old Nodes.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import { cacheArgument, common, explainSetting } from './npm-settings.mjs'
import { showProgress } from './progress.mjs'

/** A failure that ends the program. Its message says what to do. */
export class SetupError extends Error {}

/** Files with the certificates that the machine trusts: Debian and Alpine; Fedora; SUSE. */
const systemCertificates = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
].find(existsSync)

/** A line of npm for a package from the registry or the cache; failed attempts have lines, too. */
const hasCome = /^npm http (cache|fetch [A-Z]+ [23]\d\d) /

/**
 * Runs npm to its end.
 * @param {readonly string[]} args
 * @param {{
 *   readonly folder: string,
 *   readonly what: string,
 *   readonly total: number,
 *   readonly runtime?: { readonly node: string, readonly npm: string },
 * }} options what: shown beside the progress; total: number of packages; runtime: replaces the machine's Node and npm
 * @returns {Promise<void>}
 */
export function runNpm(args, { folder, what, total, runtime }) {
  const [command, ...first] = npmCommand(runtime)
  const path = runtime === undefined ? [] : [dirname(runtime.node)]
  const child = spawn(command, [...first, ...args, ...common, ...cacheArgument()], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Adds certificates that the machine trusts, such as those of a company's proxy: a Node from npm has a separate list.
    // Nodes before 22.15 ignore the first variable.
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
      else reject(new SetupError(explainNpmFailure([...messages, rest].join('\n'), folder)))
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

/**
 * Describes why npm failed, and what to do.
 * @param {string} output output of npm
 * @param {string} folder
 */
export function explainNpmFailure(output, folder) {
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
  const setting = explainSetting(output)
  if (setting !== undefined) return setting
  if (kind === 'ENOSPC') return `the disk of ${folder} is full: free about 1 GB and try again`
  if (kind === 'EROFS' || kind === 'EACCES' || kind === 'EPERM')
    return `npm cannot write (${kind}): ${lastLines(output)}: to use another cache, set npm_config_cache=FOLDER`
  if (certificate !== null)
    return `npm does not trust the certificate of its package registry (${certificate[1]}): add the certificate of your proxy to those of the system (Debian, Ubuntu: copy it to /usr/local/share/ca-certificates and run update-ca-certificates), and try again`
  if (network !== null)
    return `npm cannot reach its package registry (${network[1]}): check the network, or set a proxy (npm config set proxy URL), and try again`
  if (kind === 'EINTEGRITY')
    return 'a package is not the one that the lock file names (EINTEGRITY): run npm cache verify and try again'
  return `npm failed: ${lastLines(output)}`
}

function lastLines(output) {
  const lines = output.split('\n')
  const isError = (line) => /^npm (error|ERR!)/.test(line)
  // Warnings about the user's settings come first.
  return (lines.some(isError) ? lines.filter(isError) : lines)
    .map((line) => line.replace(/^npm (error|ERR!|warn|WARN) ?/, '').trim())
    .filter(
      (line) => line !== '' && !line.includes('complete log of this run') && !line.includes('-debug-0.log'),
    )
    .slice(0, 4)
    .join(' · ')
}
