import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Pipelined requests that wait on one connection; the connection closes after their responses if there are more. */
export const maxWaiting = 32

/** The events by which Node starts a request. */
const startEvents: ReadonlySet<string | symbol> = new Set(['request', 'checkContinue', 'checkExpectation'])

interface WaitingRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly start: () => void
}

/**
 * The requests of a connection. It stays as long as the connection: adding and removing it with each request takes a quarter
 * of the processor time of a small request.
 */
interface ConnectionQueue {
  current: WaitingRequest | null
  readonly waiting: WaitingRequest[]
}

/** The requests of all connections. */
export interface SerializedRequests {
  /** Takes the requests of a server, before its listeners. */
  watch(app: Pick<FastifyInstance, 'server'>): void
  /** The response of the running request of a connection, until its last byte is sent. */
  responseOf(socket: Duplex): ServerResponse | undefined
  /** The responses of all running requests. */
  responses(): IteratorObject<ServerResponse>
}

/**
 * Serves one request at a time on each connection. Node starts all pipelined requests at once, however many a client
 * sends without reading a response: a few kilobytes would occupy the memory, the processor and the file descriptors of
 * thousands of requests.
 */
export function serializeRequests(): SerializedRequests {
  const queues = new Map<Duplex, ConnectionQueue>()

  const run = (socket: Socket, queue: ConnectionQueue, entry: WaitingRequest) => {
    queue.current = entry
    entry.response.once('close', () => {
      queue.current = null
      const next = queue.waiting.shift()
      if (next === undefined || socket.destroyed) return
      // The bodies of all but the last are complete, because the next request was parsed.
      if (queue.waiting.length === 0) socket.resume()
      run(socket, queue, next)
    })
    entry.start()
  }

  const queueOf = (socket: Socket): ConnectionQueue => {
    const known = queues.get(socket)
    if (known !== undefined) return known
    const queue: ConnectionQueue = { current: null, waiting: [] }
    queues.set(socket, queue)
    socket.once('close', () => queues.delete(socket))
    return queue
  }

  const admit = (entry: WaitingRequest) => {
    const { request } = entry
    const { socket } = request
    const queue = queueOf(socket)
    if (queue.current === null) run(socket, queue, entry)
    // Another event of the same request.
    else if (queue.current.request === request) entry.start()
    else {
      socket.pause()
      if (queue.waiting.length < maxWaiting) queue.waiting.push(entry)
      else queue.waiting.at(-1)?.response.setHeader('connection', 'close')
    }
  }

  return {
    watch({ server }) {
      const emit = server.emit.bind(server) as (event: string | symbol, ...values: unknown[]) => boolean
      server.emit = (event: string | symbol, ...values: unknown[]) => {
        if (!startEvents.has(event)) return emit(event, ...values)
        const [request, response] = values as [IncomingMessage, ServerResponse]
        admit({ request, response, start: () => void emit(event, ...values) })
        return true
      }
    },
    responseOf: (socket) => queues.get(socket)?.current?.response,
    responses: () => queues.values().flatMap(({ current }) => (current === null ? [] : [current.response])),
  }
}
