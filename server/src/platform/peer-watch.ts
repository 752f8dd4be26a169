import type { Socket } from 'node:net'
import type { Clock } from '../domain/clock.ts'
import { openConnections, tcpName } from './tcp-table.ts'

/**
 * Notices that the other end of a connection is gone while nobody reads it: Node does not look at a connection that
 * it has paused. Where the system does not list its connections, nothing is noticed.
 */
export interface PeerWatch {
  /** @param gone called once @returns stops watching */
  readonly watch: (socket: Socket, gone: () => void) => () => void
}

interface Watched {
  readonly name: string
  readonly gone: () => void
  /** Whether the system has listed it: one that it never lists is not gone. */
  seen: boolean
}

const lookMs = 1000

/** Looks once a second, and only while there is something to look after. */
export function peerWatch(clock: Clock): PeerWatch {
  const watched = new Set<Watched>()
  let stop: (() => void) | undefined
  let looking = false

  const look = async () => {
    if (looking) return
    looking = true
    const open = await openConnections()
    looking = false
    if (open === null) return
    for (const one of [...watched]) {
      const isOpen = open.has(one.name)
      if (one.seen && !isOpen) {
        forget(one)
        one.gone()
      }
      one.seen ||= isOpen
    }
  }
  const forget = (one: Watched) => {
    watched.delete(one)
    if (watched.size > 0) return
    stop?.()
    stop = undefined
  }

  return {
    watch(socket, gone) {
      const { localAddress, localPort, remoteAddress, remotePort } = socket
      if (!localAddress || !localPort || !remoteAddress || !remotePort) return () => undefined
      const name = tcpName({ localAddress, localPort, remoteAddress, remotePort })
      const one = { name, gone, seen: false }
      watched.add(one)
      stop ??= clock.every(lookMs, () => void look())
      return () => {
        forget(one)
      }
    },
  }
}
