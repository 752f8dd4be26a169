import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { TLSSocket } from 'node:tls'

/**
 * Cuts a response so that the client detects that it is incomplete. Without a length or chunks (HTTP/1.0, which proxies
 * still use), a closed connection looks like a complete response.
 */
export function resetConnection(response: Writable & { readonly socket?: Writable | null }): void {
  const { socket } = response
  // TLS has its own end marker, which a cut connection lacks.
  if (socket instanceof Socket && !(socket instanceof TLSSocket)) socket.resetAndDestroy()
  response.destroy()
}
