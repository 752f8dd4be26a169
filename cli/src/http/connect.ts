import { arch } from 'node:process'
import { createClient, type Client } from '@svc/sdk'
import type { Target } from '../config/target.ts'
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
  { platform, environment }: Pick<Program, 'platform' | 'environment'>,
  { insecure }: Pick<Target, 'insecure'>,
  { noIdleTimeout = false, direct = false }: ConnectOptions = {},
) {
  const options = { environment, insecure, noIdleTimeout }
  const fetch = createNodeFetch(options)
  return {
    fetch: namingServer(direct ? createDirectFetch(options, fetch) : fetch, environment),
    headers: { 'user-agent': `svc/${version} (${platform}; ${arch})` },
  }
}

/**
 * A client of the server at an address. The token goes with it only where the address is that of the server that the
 * token is for.
 */
export function connect(
  program: Pick<Program, 'platform' | 'environment'>,
  target: Pick<Target, 'server' | 'token' | 'insecure' | 'service'>,
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
