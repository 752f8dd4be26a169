import { arch } from 'node:process'
import { createClient, type Client } from '@svc/sdk'
import type { Target } from '../config/target.ts'
import type { Program } from '../program.ts'
import { version } from '../version.ts'
import { createNodeFetch } from './node-fetch.ts'

export interface Connecting {
  /** The sender of a stream waits in silence for whoever downloads. */
  readonly patient?: boolean
}

/**
 * A client of the server at an address. The token goes with it only where the address is that of the server that the
 * token is for.
 */
export function connect(
  { platform }: Pick<Program, 'platform'>,
  target: Pick<Target, 'server' | 'token' | 'insecure'>,
  base: string,
  { patient = false }: Connecting = {},
): Client {
  return createClient({
    baseURL: base,
    fetch: createNodeFetch({ insecure: target.insecure, patient }),
    headers: { 'user-agent': `svc/${version} (${platform}; ${arch})` },
    clientApp: 'cli_client',
    userToken: base === target.server ? target.token : undefined,
  })
}
