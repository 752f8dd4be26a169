import type { Socket } from 'node:net'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { WatchRequest } from '../http/connections/watch-requests.ts'

/** From a look into the cache to a large file over a slow line. Seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** What is on its way on a connection, and how many of its bytes have been counted. */
interface Moving {
  readonly route: string
  readonly socket: Socket
}

/** Requests by the template of their route: no path, id or name of a client's making becomes a label. */
export function requestMeters(registry: Registry): WatchRequest {
  const registers = [registry]
  const duration = new Histogram({
    name: 'svcd_http_request_duration_seconds',
    help: 'Requests that are over, and how long they took.',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers,
  })
  const active = new Gauge({
    name: 'svcd_transfers_active',
    help: 'Uploads, downloads and archives that are on their way.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['upload', 'download', 'archive'] as const) active.set({ kind }, 0)
  const count = byteMeters(registry)
  return ({ route, method, transfer, socket }) => {
    const stop = duration.startTimer({ route, method })
    const moved = count({ route, socket })
    if (transfer !== null) active.inc({ kind: transfer })
    return (status) => {
      stop({ status })
      moved()
      if (transfer !== null) active.dec({ kind: transfer })
    }
  }
}

/**
 * Bytes of connections, headers included. A long transfer is counted while it lasts, whenever somebody asks.
 * @returns told of a request that begins; what it answers is called at its end
 */
function byteMeters(registry: Registry): (moving: Moving) => () => void {
  const moving = new Set<Moving>()
  /** Bytes of each connection that are counted already, whichever request they were for. */
  const counted = new WeakMap<Socket, { read: number; written: number }>()
  const collect = () => {
    for (const one of moving) add(one)
  }
  const options: { labelNames: 'route'[]; registers: Registry[] } = {
    labelNames: ['route'],
    registers: [registry],
  }
  const received = new Counter({
    name: 'svcd_http_received_bytes_total',
    help: 'Bytes of requests, with their headers.',
    collect,
    ...options,
  })
  const sent = new Counter({
    name: 'svcd_http_sent_bytes_total',
    help: 'Bytes of answers, with their headers.',
    ...options,
  })
  const add = ({ route, socket }: Moving) => {
    const before = counted.get(socket) ?? { read: 0, written: 0 }
    const read = Math.max(socket.bytesRead, before.read)
    const written = Math.max(socket.bytesWritten, before.written)
    received.inc({ route }, read - before.read)
    sent.inc({ route }, written - before.written)
    counted.set(socket, { read, written })
  }
  return (begun) => {
    moving.add(begun)
    return () => {
      moving.delete(begun)
      add(begun)
    }
  }
}
