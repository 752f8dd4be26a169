import type { Configuration } from '@svc/contract'
import { createClient } from '@svc/sdk'
import { roughSize } from '@svc/terminal'
import type { TargetWithServer } from '../config/target.ts'
import { errorMessage } from '../errors/error-message.ts'
import { connectionOptions } from '../http/connect.ts'
import { mayGoByProxy } from '../http/proxies.ts'
import { roughDuration } from '../output/rough-duration.ts'
import type { Program } from '../program/program.ts'
import { version } from '../program/version.ts'
import { ageOf } from '../update/versions.ts'
import { checkCertificate } from './certificate.ts'
import { fail, ok, warn, type Finding } from '@svc/terminal'

/** What svc needs of the server, as far as it can be seen without an upload. */
export async function checkServer(program: Program, target: TargetWithServer): Promise<readonly Finding[]> {
  const url = new URL(target.server)
  const { environment } = program
  const isProxied = mayGoByProxy(url, environment)
  const findings = [
    isProxied
      ? warn('proxy', 'a variable sets one: requests go through it, unless NO_PROXY names the server')
      : ok('proxy', 'none is set'),
    ...(url.protocol === 'https:' && !isProxied ? [await checkCertificate(program, url)] : []),
    ...(url.protocol === 'http:'
      ? [warn('TLS', 'the address begins with http://: others can read and change what you send')]
      : []),
    ...(target.insecure ? [warn('TLS', 'certificates are not verified (--insecure)')] : []),
  ]
  return [...findings, ...(await responses(program, target))]
}

async function responses(program: Program, target: TargetWithServer): Promise<readonly Finding[]> {
  const { clock } = program
  let date: number | undefined
  const client = createClient({
    ...connectionOptions(program, target),
    baseURL: target.server,
    onResponse: ({ headers }) => (date = Date.parse(headers.get('date') ?? '')),
  })
  try {
    const begun = clock.now()
    const about = await client.version()
    const took = clock.now() - begun
    const findings = [ok('server', `reached in ${String(took)} ms; its version is ${about.version}`)]
    if (date !== undefined && !Number.isNaN(date)) findings.push(clockFinding(date, clock.now()))
    findings.push(versionFinding(about.version))
    return [...findings, ...limits(await client.configuration())]
  } catch (error) {
    return [fail('server', errorMessage(error))]
  }
}

/** Seconds. A header states the time to the second, and takes a moment to arrive. */
const maxDifference = 30

function clockFinding(theirs: number, ours: number): Finding {
  const seconds = Math.round((ours - theirs) / 1000)
  if (Math.abs(seconds) <= maxDifference) return ok('clock', 'that of the server shows the same time')
  const side = seconds > 0 ? 'ahead of' : 'behind'
  return warn(
    'clock',
    `this computer is ${roughDuration(Math.abs(seconds))} ${side} the server: times of expiry are shown wrong`,
  )
}

const versionFinding = (offered: string): Finding =>
  ageOf(offered, version) === 'newer'
    ? warn('svc', `version ${version}; the server has ${offered}, which svc update may offer`)
    : ok('svc', `version ${version}, Node ${process.version}`)

function limits({ maxFileSize, maxTTL, maxFilePerUpload, ...flags }: Configuration): readonly Finding[] {
  const size = maxFileSize < 0 ? 'of any size' : `up to ${roughSize(maxFileSize)}`
  const time = maxTTL > 0 ? `up to ${roughDuration(maxTTL)}` : 'without a limit'
  const disabled = Object.entries(flags).flatMap(([name, value]) =>
    name.startsWith('feature_') && value === 'disabled' ? [name.slice('feature_'.length)] : [],
  )
  return [
    ok('limits', `files ${size}, ${String(maxFilePerUpload)} in an upload, kept ${time}`),
    ok('functions', disabled.length === 0 ? 'all are on' : `off: ${disabled.join(', ')}`),
  ]
}
