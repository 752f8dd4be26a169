import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { certificateFinding, fail, ok, reasonsOf, warn, type Finding } from './finding.ts'
import type { Subject } from './parts.ts'

const patienceMs = 5_000

/** The public addresses, as seen from this machine. That nobody answers is no fault: the server may not run yet. */
export async function checkDomains({ config, clock }: Subject): Promise<readonly Finding[]> {
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
    return [fail(about, `the name ${url.hostname} cannot be resolved: look at its DNS records`)]
  }
  const findings = [await checkHealth(about, `${origin}${path}/health`)]
  if (url.protocol !== 'https:' || findings.some(({ level }) => level === 'fail')) return findings
  const validTo = await endOfCertificate(url)
  return validTo === null ? findings : [...findings, certificateFinding(about, validTo, now)]
}

async function checkHealth(about: string, address: string): Promise<Finding> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' })
    if (response.status === 200 && (await response.text()) === 'ok')
      return ok(about, `${address} is this service`)
    return warn(
      about,
      `${address} answers with status ${String(response.status)}, not as this service: is it not running, or does a proxy lead elsewhere?`,
    )
  } catch (error) {
    const reasons = reasonsOf(error)
    if (isCertificateFault(error))
      return fail(about, `${address}: ${reasons}: browsers refuse this certificate`)
    return warn(
      about,
      `${address} does not answer (${reasons}): that is fine as long as the server does not run`,
    )
  }
}

const certificateFaults = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER))/

function isCertificateFault(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && certificateFaults.test(String(cause.code))
}

/** @returns ms since the epoch; null when no connection comes about */
async function endOfCertificate({ hostname, port }: URL): Promise<number | null> {
  const socket = connect({ host: hostname, port: Number(port) || 443, servername: hostname })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(patienceMs) })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } catch {
    return null
  } finally {
    socket.destroy()
  }
}
