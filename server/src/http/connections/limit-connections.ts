import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { networkOf, plainAddress } from '../../domain/access/addresses.ts'
import { tooManyConnections } from '../../domain/errors.ts'
import { refuseConnection } from './malformed-requests.ts'

/** Between two lines of the log about refused connections. Milliseconds. */
const quietMs = 60_000

/**
 * Keeps one client from taking all connections: beyond `MaxConnectionsPerAddress` further ones are refused with 429, over TLS
 * without a word, since a handshake would cost more than it says. Trusted proxies speak for many clients.
 */
export function limitConnections(
  app: FastifyInstance,
  service: Pick<Service, 'clock' | 'config' | 'isTrustedProxy' | 'log'>,
  isTls: boolean,
): void {
  const { clock, log, isTrustedProxy } = service
  const { maxConnectionsPerAddress: limit } = service.config
  if (limit === 0) return
  const open = new Map<string, number>()
  let logged = -Infinity

  const refuse = (socket: Socket, network: string) => {
    if (isTls) socket.destroy()
    else refuseConnection(socket, tooManyConnections())
    if (clock.now() - logged < quietMs) return
    logged = clock.now()
    log.warn(
      { network, limit },
      'connections beyond MaxConnectionsPerAddress are refused; a proxy belongs into TrustedProxies',
    )
  }
  app.server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '')
    if (address === '' || isTrustedProxy(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left === 0) open.delete(network)
      else open.set(network, left)
    })
    if (count > limit) refuse(socket, network)
  })
}
