import { once } from 'node:events'
import { createServer } from 'node:net'
import { fail, ok, warn, type Finding } from '@svc/terminal'
import { reasonsOf } from './base/reasons.ts'
import { isLoopback } from './base/loopback.ts'
import type { CheckContext } from './base/context.ts'

const timeoutMs = 3_000

export async function checkPorts({ config, openFiles }: CheckContext): Promise<readonly Finding[]> {
  const { listenAddress, listenPort, metrics, ssl, path } = config
  const scheme = ssl === null ? 'http' : 'https'
  const findings = [
    await checkPort('ListenPort', listenAddress, listenPort, `${scheme}://HOST:PORT${path}/health`),
  ]
  if (metrics !== null) {
    findings.push(await checkPort('MetricsPort', metrics.address, metrics.port, 'http://HOST:PORT/ready'))
    if (!isLoopback(metrics.address)) findings.push(openMetrics(metrics.address))
  }
  return [...findings, ...limitFindings(openFiles)]
}

const openMetrics = (address: string): Finding =>
  warn(
    'metrics',
    `everyone who reaches ${address} can read /metrics, without a password: let a firewall limit who can, or set MetricsAddress = "127.0.0.1"`,
  )

/** @param healthURL the address at which svcd responds if it is the listener */
async function checkPort(about: string, address: string, port: number, healthURL: string): Promise<Finding> {
  const endpoint = `${address}:${String(port)}`
  const server = createServer()
  try {
    server.listen({ host: address, port })
    await once(server, 'listening')
    return ok(about, `${endpoint} is free`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EADDRINUSE')
      return await portInUse(about, endpoint, reachable(address, port, healthURL))
    const advice =
      error.code === 'EACCES' ? 'ports below 1024 need the capability CAP_NET_BIND_SERVICE' : 'choose another'
    return fail(about, `cannot listen on ${endpoint} (${reasonsOf(error)}): ${advice}`)
  } finally {
    server.close()
  }
}

async function portInUse(about: string, endpoint: string, healthURL: string): Promise<Finding> {
  const ours = await isSvcd(healthURL)
  if (ours) return ok(about, `svcd is running on ${endpoint}`)
  return fail(about, `another program listens on ${endpoint}: stop it, or choose another port`)
}

async function isSvcd(healthURL: string): Promise<boolean> {
  try {
    const response = await fetch(healthURL, { signal: AbortSignal.timeout(timeoutMs) })
    const body = await response.text()
    // `/ready` also names restrictions, a line each.
    return /^(?:ok|not ready)(?:\n|$)/.test(body)
  } catch (error) {
    // svcd serves TLS with a certificate for its domain, not for this address.
    return healthURL.startsWith('https:') && /CERT|ALTNAME|SELF_SIGNED/.test(causeCode(error))
  }
}

const causeCode = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause
    ? String(error.cause.code)
    : ''

/** A server that listens on every network is checked on the loopback address. */
function reachable(address: string, port: number, healthURL: string): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '[::1]' : address
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return healthURL.replace('HOST', bracketed).replace('PORT', String(port))
}

/** A transfer uses a connection and a file. */
const filesPerTransfer = 2
const recommendedFiles = 4_096

function limitFindings(openFiles: number | undefined): readonly Finding[] {
  if (openFiles === undefined) return []
  const transfers = Math.floor(openFiles / filesPerTransfer)
  const facts = `${String(openFiles)} files may be open, enough for about ${String(transfers)} transfers at once`
  if (openFiles >= recommendedFiles) return [ok('open files', facts)]
  return [warn('open files', `${facts}: raise the limit (ulimit -n, or LimitNOFILE of systemd)`)]
}
