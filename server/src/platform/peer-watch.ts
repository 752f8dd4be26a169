import type { Socket } from 'node:net'
import type { Clock } from '../domain/clock.ts'
import { openConnections, tcpName } from './tcp-table.ts'

/**
 * Detects that a peer closed its connection while the connection is paused: Node does not read a paused connection.
 * Does nothing where the system does not list its connections.
 */
export interface PeerWatch {
  /**
   * @param onGone called once
   * @returns a function that stops watching
   */
  readonly watch: (socket: Socket, onGone: () => void) => () => void
}

interface WatchedConnection {
  readonly name: string
  readonly onGone: () => void
  /** Whether the system has listed the connection: one that it never listed is not gone. */
  seen: boolean
}

const intervalMs = 1000

/** Checks once a second while there is a connection to watch. */
export function peerWatch(clock: Clock): PeerWatch {
  const watched = new Set<WatchedConnection>()
  let stop: (() => void) | undefined
  let isChecking = false

  const check = async () => {
    if (isChecking) return
    isChecking = true
    const open = await openConnections()
    isChecking = false
    if (open === null) return
    for (const peer of [...watched]) {
      const isOpen = open.has(peer.name)
      if (peer.seen && !isOpen) {
        forget(peer)
        peer.onGone()
      }
      peer.seen ||= isOpen
    }
  }
  const forget = (peer: WatchedConnection) => {
    watched.delete(peer)
    if (watched.size > 0) return
    stop?.()
    stop = undefined
  }

  return {
    watch(socket, onGone) {
      const { localAddress, localPort, remoteAddress, remotePort } = socket
      if (!localAddress || !localPort || !remoteAddress || !remotePort) return () => undefined
      const name = tcpName({ localAddress, localPort, remoteAddress, remotePort })
      const peer = { name, onGone, seen: false }
      watched.add(peer)
      stop ??= clock.every(intervalMs, () => void check())
      return () => {
        forget(peer)
      }
    },
  }
}
