import type { Socket } from 'node:net'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { InstrumentRequest } from '../http/connections/instrument-requests.ts'

/** Seconds, from a cache hit to a large file over a slow connection. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60, 600]

/** A request in progress and its connection. */
interface ActiveRequest {
  readonly route: string
  readonly socket: Socket
}

/** Requests by route template: no path, id or name from a client becomes a label. */
export function requestMeters(registry: Registry): InstrumentRequest {
  const registers = [registry]
  const duration = new Histogram({
    name: 'svcd_http_request_duration_seconds',
    help: 'Duration of finished requests.',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers,
  })
  const active = new Gauge({
    name: 'svcd_transfers_active',
    help: 'Uploads, downloads and archives in progress.',
    labelNames: ['kind'],
    registers,
  })
  for (const kind of ['upload', 'download', 'archive'] as const) active.set({ kind }, 0)
  const countBytes = byteMeters(registry)
  return ({ route, method, transfer, socket }) => {
    const stop = duration.startTimer({ route, method })
    const stopCounting = countBytes({ route, socket })
    if (transfer !== null) active.inc({ kind: transfer })
    return (status) => {
      stop({ status })
      stopCounting()
      if (transfer !== null) active.dec({ kind: transfer })
    }
  }
}

/**
 * Bytes of connections, headers included. Each scrape counts the bytes of running transfers.
 * @returns a function to call when a request starts; it returns one to call at its end
 */
function byteMeters(registry: Registry): (active: ActiveRequest) => () => void {
  const active = new Set<ActiveRequest>()
  /** Bytes of each connection that are already counted, for any of its requests. */
  const counted = new WeakMap<Socket, { read: number; written: number }>()
  const collect = () => {
    for (const request of active) add(request)
  }
  const options: { labelNames: 'route'[]; registers: Registry[] } = {
    labelNames: ['route'],
    registers: [registry],
  }
  const received = new Counter({
    name: 'svcd_http_received_bytes_total',
    help: 'Bytes of requests, including headers.',
    collect,
    ...options,
  })
  const sent = new Counter({
    name: 'svcd_http_sent_bytes_total',
    help: 'Bytes of responses, including headers.',
    ...options,
  })
  const add = ({ route, socket }: ActiveRequest) => {
    const before = counted.get(socket) ?? { read: 0, written: 0 }
    const read = Math.max(socket.bytesRead, before.read)
    const written = Math.max(socket.bytesWritten, before.written)
    received.inc({ route }, read - before.read)
    sent.inc({ route }, written - before.written)
    counted.set(socket, { read, written })
  }
  return (request) => {
    active.add(request)
    return () => {
      active.delete(request)
      add(request)
    }
  }
}
