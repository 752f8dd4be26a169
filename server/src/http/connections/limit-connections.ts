import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../core/service.ts'
import { networkOf, plainAddress } from '../../domain/access/addresses.ts'
import { tooManyConnections } from '../../domain/errors.ts'
import { logInterval } from '../../platform/log-interval.ts'
import { refuseConnection } from './malformed-requests.ts'

/**
 * Limits the connections of one client: beyond `MaxConnectionsPerAddress`, connections get 429. Over TLS they are
 * closed without a response, since a handshake would be too expensive. Trusted proxies have many clients and no limit.
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
  const logOncePerMinute = logInterval(clock)

  const refuse = (socket: Socket, network: string) => {
    if (isTls) socket.destroy()
    else refuseConnection(socket, tooManyConnections())
    logOncePerMinute(() => {
      log.warn({ network, limit }, 'connections beyond MaxConnectionsPerAddress refused')
    })
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
