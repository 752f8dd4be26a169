import { arch } from 'node:process'
import { createClient, type Client } from '@svc/sdk'
import type { Target } from '../config/target.ts'
import type { Program } from '../program.ts'
import { version } from '../version.ts'
import { createDirectFetch } from './direct-fetch.ts'
import { createNodeFetch, type Fetch } from './node-fetch.ts'

export interface Connecting {
  /** The sender of a stream waits in silence for whoever downloads. */
  readonly patient?: boolean
  /** Downloads large files, which may be asked for twice. */
  readonly direct?: boolean
}

/**
 * A client of the server at an address. The token goes with it only where the address is that of the server that the
 * token is for.
 */
export function connect(
  { platform }: Pick<Program, 'platform'>,
  target: Pick<Target, 'server' | 'token' | 'insecure'>,
  base: string,
  { patient = false, direct = false }: Connecting = {},
): Client {
  const options = { insecure: target.insecure, patient }
  const fetch = createNodeFetch(options)
  return createClient({
    baseURL: base,
    fetch: namingServer(direct ? createDirectFetch(options, fetch) : fetch),
    headers: { 'user-agent': `svc/${version} (${platform}; ${arch})` },
    clientApp: 'cli_client',
    userToken: base === target.server ? target.token : undefined,
  })
}

/** Which address it was is the first thing to ask when nobody answers. */
const namingServer =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      throw new Error(new URL(input instanceof Request ? input.url : input).origin, { cause: error })
    }
  }
