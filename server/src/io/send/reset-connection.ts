import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { TLSSocket } from 'node:tls'

/**
 * Cuts a response so that nobody takes what was sent for the whole: where neither a length nor chunks tell the end
 * (HTTP/1.0, which proxies still speak), a connection that is merely closed looks like a good end.
 */
export function resetConnection(response: Writable & { readonly socket?: Writable | null }): void {
  const { socket } = response
  // TLS has an end of its own, which a cut connection lacks.
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  response.destroy()
}
