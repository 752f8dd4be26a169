import { once } from 'node:events'
import {
  createServer,
  request as send,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Transform, type Readable, type TransformCallback, type Writable } from 'node:stream'

/** The fault of a request. Numbers of bytes are those of a body. */
export type Fault =
  /** The store receives nothing. */
  | {
      readonly kind: 'respond'
      readonly status: number
      readonly headers?: OutgoingHttpHeaders
      readonly body?: string
    }
  /** Cuts both connections when this number of bytes of the request has reached the store. */
  | { readonly kind: 'cut-request'; readonly after: number }
  /** Cuts the connection when this number of bytes of the response has been sent. */
  | { readonly kind: 'cut-response'; readonly after: number }
  /** Ends the connection there: all sent bytes arrive, while a cut may lose unread ones. */
  | { readonly kind: 'end-response'; readonly after: number }
  /** The store executes the request, and the connection is cut instead of its response. */
  | { readonly kind: 'lose-response' }
  /** The store executes the request, and no response arrives. */
  | { readonly kind: 'keep-response' }
  /** The request is read, and no response arrives. */
  | { readonly kind: 'stall' }
  /** The response stalls after this number of bytes, and the connection stays open. */
  | { readonly kind: 'stall-response'; readonly after: number }
  /** The request is forwarded when the promise resolves. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }

/** The response of an intermediate proxy that serves an error page with status 200. */
export const pageOfProxy: Fault = { kind: 'respond', status: 200, body: '<html>We will be back soon</html>' }

export interface FaultOptions {
  /** Which requests: `METHOD /path?query`. */
  readonly when: RegExp
  /** The number of faulty requests; all when absent. */
  readonly times?: number
  /** The number of successful requests before. */
  readonly skip?: number
}

/** A proxy between a client and an HTTP server on this machine, with faults on request. */
export interface FaultyProxy {
  /** Without a slash at the end. */
  readonly url: string
  /** Every request so far, as `METHOD /path?query`. */
  readonly requests: readonly string[]
  /**
   * Makes requests fail from now on.
   * @returns the number of failed requests
   */
  readonly fail: (fault: Fault, options: FaultOptions) => () => number
  /** Removes all faults. */
  readonly heal: () => void
  /** Resolves with the headers of the next matching request. */
  readonly seen: (when: RegExp) => Promise<IncomingHttpHeaders>
  /** Open connections. */
  readonly connections: () => number
  /** Cuts all connections, and accepts no more. */
  readonly down: () => Promise<void>
  /** Accepts connections again, at the same address. */
  readonly up: () => Promise<void>
  readonly close: () => Promise<void>
}

interface Planned extends FaultOptions {
  readonly fault: Fault
  happened: number
  passed: number
}

interface Watcher {
  readonly when: RegExp
  readonly resolve: (headers: IncomingHttpHeaders) => void
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port: targetPort } = new URL(target)
  const requests: string[] = []
  const planned = new Set<Planned>()
  const watchers = new Set<Watcher>()
  const sockets = new Set<Socket>()

  const nextFault = (line: string): Fault | undefined => {
    const found = [...planned].find((plan) => {
      const { when, happened, times = Infinity, skip = 0 } = plan
      if (happened >= times || !when.test(line)) return false
      plan.passed += 1
      return plan.passed > skip
    })
    if (found !== undefined) found.happened += 1
    return found?.fault
  }
  const forward = (request: IncomingMessage) => {
    const { method, url, rawHeaders: headers } = request
    return send({ hostname, port: targetPort, method, path: url, headers, agent: false })
  }
  const server = createServer((request, response) => {
    const line = `${String(request.method)} ${String(request.url)}`
    requests.push(line)
    for (const watcher of watchers) if (watcher.when.test(line)) watcher.resolve(request.headers)
    void handle({ request, response, forward: () => forward(request) }, nextFault(line))
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const down = async () => {
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    if (server.listening) await once(server, 'close')
  }
  return {
    url: `http://127.0.0.1:${String(port)}`,
    requests,
    fail(fault, options) {
      const plan = { ...options, fault, happened: 0, passed: 0 }
      planned.add(plan)
      return () => plan.happened
    },
    heal() {
      planned.clear()
    },
    seen: (when) => new Promise((resolve) => watchers.add({ when, resolve })),
    connections: () => sockets.size,
    down,
    up: () => listen(port),
    close: down,
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly forward: () => ClientRequest
}

async function handle({ request, response, forward }: Exchange, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'respond') {
    // Reads the body first: closing the connection earlier would look like a cut.
    request.resume().once('end', () => response.writeHead(fault.status, fault.headers).end(fault.body))
    return
  }
  if (fault?.kind === 'stall') {
    request.resume()
    return
  }
  if (fault?.kind === 'hold') await fault.until
  const forwarded = forward()
  const cut = () => {
    forwarded.destroy()
    request.socket.resetAndDestroy()
  }
  forwarded.on('error', cut)
  request.on('error', () => forwarded.destroy())
  response.on('close', () => {
    if (!response.writableFinished) forwarded.destroy()
  })
  forwarded.on('response', (reply) => {
    reply.on('error', cut)
    if (fault?.kind === 'lose-response') {
      reply.resume().once('end', cut)
      return
    }
    if (fault?.kind === 'keep-response') {
      reply.resume()
      return
    }
    response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
    const end = () => {
      forwarded.destroy()
      request.socket.end()
    }
    if (fault?.kind === 'cut-response') pipeSome(reply, response, fault.after, cut)
    else if (fault?.kind === 'end-response') pipeSome(reply, response, fault.after, end)
    else if (fault?.kind === 'stall-response') pipeSome(reply, response, fault.after, () => undefined)
    else reply.pipe(response)
  })
  const cutWhenSent = () => {
    const closeSoon = (socket: Socket) => {
      socket.once('close', cut).destroySoon()
    }
    if (forwarded.socket !== null) closeSoon(forwarded.socket)
    // Node writes what waits for a connection after this event.
    else forwarded.once('socket', (socket) => setImmediate(closeSoon, socket))
  }
  if (fault?.kind === 'cut-request') pipeSome(request, forwarded, fault.after, cutWhenSent)
  else request.pipe(forwarded)
}

/** Pipes this number of bytes, and then runs a callback instead of piping the rest. */
function pipeSome(from: Readable, to: Writable, bytes: number, then: () => void): void {
  let left = bytes
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, callback: TransformCallback) {
      if (chunk.length < left) {
        left -= chunk.length
        callback(null, chunk)
        return
      }
      this.push(chunk.subarray(0, left))
      left = 0
      this.push(null)
    },
  })
  from.pipe(limited).pipe(to, { end: false })
  limited.once('end', () => {
    if (left > 0) to.end()
    // The last bytes are written in this iteration of the event loop.
    else setImmediate(then)
  })
}
