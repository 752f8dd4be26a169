import { once } from 'node:events'
import { createServer } from 'node:net'
import { fail, ok, reasonsOf, warn, type Finding } from './finding.ts'
import type { Subject } from './parts.ts'

const patienceMs = 3_000

export async function checkPorts({ config, openFiles }: Subject): Promise<readonly Finding[]> {
  const { listenAddress, listenPort, metrics, ssl, path } = config
  const scheme = ssl === null ? 'http' : 'https'
  const findings = [
    await checkPort('ListenPort', listenAddress, listenPort, `${scheme}://HOST:PORT${path}/health`),
  ]
  if (metrics !== null)
    findings.push(await checkPort('MetricsPort', metrics.address, metrics.port, 'http://HOST:PORT/ready'))
  return [...findings, ...limitFindings(openFiles)]
}

/** @param question where svcd would answer if it is who listens there */
async function checkPort(about: string, address: string, port: number, question: string): Promise<Finding> {
  const place = `${address}:${String(port)}`
  const server = createServer()
  try {
    server.listen({ host: address, port })
    await once(server, 'listening')
    return ok(about, `${place} is free`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    if (error.code === 'EADDRINUSE') return await takenFinding(about, place, askable(address, port, question))
    const advice =
      error.code === 'EACCES' ? 'ports below 1024 need the capability CAP_NET_BIND_SERVICE' : 'choose another'
    return fail(about, `cannot listen on ${place} (${reasonsOf(error)}): ${advice}`)
  } finally {
    server.close()
  }
}

async function takenFinding(about: string, place: string, question: string): Promise<Finding> {
  const ours = await isOurs(question)
  if (ours) return ok(about, `svcd is running on ${place}`)
  return fail(about, `something else listens on ${place}: end it, or choose another port`)
}

async function isOurs(question: string): Promise<boolean> {
  try {
    const response = await fetch(question, { signal: AbortSignal.timeout(patienceMs) })
    const answer = await response.text()
    return answer === 'ok' || answer === 'not ready\n'
  } catch (error) {
    // It speaks TLS with a certificate for another name than the address: that is how svcd looks from here.
    return question.startsWith('https:') && /CERT|ALTNAME|SELF_SIGNED/.test(causeCode(error))
  }
}

const causeCode = (error: unknown): string =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause
    ? String(error.cause.code)
    : ''

/** Who listens everywhere is asked at home. */
function askable(address: string, port: number, question: string): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '[::1]' : address
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return question.replace('HOST', bracketed).replace('PORT', String(port))
}

/** A transfer takes its connection and a file. */
const filesOfTransfer = 2
const enough = 4_096

function limitFindings(openFiles: number | undefined): readonly Finding[] {
  if (openFiles === undefined) return []
  const transfers = Math.floor(openFiles / filesOfTransfer)
  const says = `${String(openFiles)} files may be open, enough for about ${String(transfers)} transfers at once`
  if (openFiles >= enough) return [ok('open files', says)]
  return [warn('open files', `${says}: raise it (ulimit -n, or LimitNOFILE of systemd)`)]
}
