import { plainAddress, sourceAddress as resolve } from '../../domain/access/addresses.ts'
import type { RequestContext } from './chain.ts'

/** Adds the client address, as reported by trusted proxies. */
export function sourceAddress({ request, service }: RequestContext): { readonly address: string } {
  const peer = request.raw.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !service.isTrustedProxy(plainAddress(peer)))
    return { address: plainAddress(peer) }
  const hops = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return { address: resolve(peer, hops, service.isTrustedProxy) }
}
