import { arch } from 'node:process'
import { createClient, type Client } from '@svc/sdk'
import type { Target } from '../config/target.ts'
import { statusLine } from '../interactive/status-line.ts'
import { showWait } from '../output/server-wait.ts'
import type { Program } from '../program/program.ts'
import { version } from '../program/version.ts'
import { createDirectFetch } from './direct-fetch.ts'
import { addressOf } from './light-response.ts'
import { createNodeFetch, type Fetch } from './node-fetch.ts'
import { mayGoByProxy } from './proxies.ts'

export interface ConnectOptions {
  /** The sender of a stream sends nothing until a download begins. */
  readonly noIdleTimeout?: boolean
  /** Downloads large files, which can be requested twice. */
  readonly direct?: boolean
}

/** Options of every connection: how requests travel, and the name of this client. */
export function connectionOptions(
  program: Program,
  { insecure, isQuiet }: Pick<Target, 'insecure' | 'isQuiet'>,
  { noIdleTimeout = false, direct = false }: ConnectOptions = {},
) {
  const { platform, environment } = program
  const options = { environment, insecure, noIdleTimeout }
  const node = createNodeFetch(options)
  const fetch = interruptible(direct ? createDirectFetch(options, node) : node, program)
  const isShown = !isQuiet && !noIdleTimeout && statusLine(program).canDraw
  return {
    fetch: namingServer(isShown ? showingWait(fetch, program) : fetch, environment),
    headers: { 'user-agent': `svc/${version} (${platform}; ${arch})` },
  }
}

/**
 * A client of the server at an address. The token goes with it only where the address is that of the server that the
 * token is for.
 */
export function connect(
  program: Program,
  target: Pick<Target, 'server' | 'token' | 'insecure' | 'isQuiet' | 'service'>,
  base: string,
  options: ConnectOptions = {},
): Client {
  return createClient({
    ...connectionOptions(program, target, options),
    baseURL: base,
    clientApp: 'cli_client',
    userToken: base === target.server ? target.token : undefined,
    ...(target.service && { service: target.service }),
  })
}

/** An error without a response names the address. */
const namingServer =
  (fetch: Fetch, environment: Program['environment']): Fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      const url = addressOf(input)
      const proxy = mayGoByProxy(url, environment) ? ' (a proxy is set)' : ''
      throw new Error(url.origin + proxy, { cause: error })
    }
  }

const showingWait =
  (fetch: Fetch, program: Program): Fetch =>
  (input, init) =>
    showWait(program, addressOf(input).host, () => fetch(input, init))

/** Milliseconds after an interrupt in which the response to a change may still come. */
const changeGraceMs = 1_000

/**
 * An interrupt ends a request without a signal. One that changes something has a second to end, because an upload whose creation
 * has a response can be removed. Requests of the clean-up, which begin after the interrupt, run to their end.
 */
const interruptible =
  (fetch: Fetch, { interrupted, clock }: Program): Fetch =>
  async (input, init = {}) => {
    if (init.signal || interrupted.aborted) return fetch(input, init)
    // Also while the body arrives.
    if (['GET', 'HEAD'].includes(init.method ?? 'GET')) return fetch(input, { ...init, signal: interrupted })
    const ended = new AbortController()
    const responded = new AbortController()
    const stop = () => {
      // The wait fails when the response comes in time.
      clock.sleep(changeGraceMs, responded.signal).then(
        () => {
          ended.abort(interrupted.reason)
        },
        () => undefined,
      )
    }
    interrupted.addEventListener('abort', stop, { once: true })
    try {
      return await fetch(input, { ...init, signal: ended.signal })
    } finally {
      responded.abort()
      interrupted.removeEventListener('abort', stop)
    }
  }
