import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { fail, ok, warn, type Finding } from '@svc/terminal'
import { certificateFinding } from './base/certificate-finding.ts'
import { reasonsOf } from './base/reasons.ts'
import type { CheckContext } from './base/context.ts'

const timeoutMs = 5_000

/**
 * Checks the public addresses from this machine. An address that does not respond is a warning: the server may not run
 * yet.
 */
export async function checkDomains({ config, clock }: CheckContext): Promise<readonly Finding[]> {
  const domains = [
    ['SvcDomain', config.svcDomain],
    ['DownloadDomain', config.downloadDomain],
  ] as const
  const found = await Promise.all(
    domains
      .filter(([, origin]) => origin !== '')
      .map(([about, origin]) => checkDomain(about, origin, config.path, clock.now())),
  )
  return found.flat()
}

async function checkDomain(
  about: string,
  origin: string,
  path: string,
  now: number,
): Promise<readonly Finding[]> {
  const url = new URL(origin)
  try {
    await lookup(url.hostname)
  } catch {
    return [fail(about, `the name ${url.hostname} cannot be resolved: check its DNS records`)]
  }
  const findings = [await checkHealth(about, `${origin}${path}/health`)]
  if (url.protocol !== 'https:' || findings.some(({ level }) => level === 'fail')) return findings
  const validTo = await certificateExpiry(url)
  return validTo === null ? findings : [...findings, certificateFinding(about, validTo, now)]
}

async function checkHealth(about: string, address: string): Promise<Finding> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' })
    if (response.status === 200 && (await response.text()) === 'ok')
      return ok(about, `${address} is this service`)
    return warn(
      about,
      `${address} responds with status ${String(response.status)}, which is not this service: start it, or check the proxy`,
    )
  } catch (error) {
    const reasons = reasonsOf(error)
    const code = codeOf(error)
    if (certificateErrors.test(code))
      return fail(
        about,
        `${address}: ${reasons}: browsers refuse this certificate${unknownAuthority.test(code) ? ownAuthority : ''}`,
      )
    return warn(about, `${address} does not respond (${reasons}): expected while the server is not running`)
  }
}

const certificateErrors = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/
const unknownAuthority = /^(?:DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/
const ownAuthority = '. If its authority is your own, set NODE_EXTRA_CA_CERTS to its PEM file'

/** The code of the cause; empty without one. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** @returns ms since the epoch; null when the connection fails */
async function certificateExpiry({ hostname, port }: URL): Promise<number | null> {
  const socket = connect({ host: hostname, port: Number(port) || 443, servername: hostname })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(timeoutMs) })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}
