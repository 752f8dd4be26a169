import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The body of a part of a resumable upload. */
export interface SentPart {
  /** Offset in the file, in bytes. */
  readonly start: number
  /** Offset after the last byte that has gone to the server. */
  end: number
}

/** A proxy before a server that counts the bytes of the parts that go to it. */
export interface CountingProxy {
  /** Without a slash at the end. */
  readonly url: string
  /** In the order of the requests. */
  readonly parts: readonly SentPart[]
  /** Calls a function once, when a part that begins from now on has gone to the server up to an offset, or begins after it. */
  readonly onceSent: (offset: number, work: () => void) => void
  readonly close: () => Promise<void>
}

export async function startCountingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port: targetPort } = new URL(target)
  const parts: SentPart[] = []
  let waiting:
    | { readonly offset: number; readonly earlier: ReadonlySet<SentPart>; readonly work: () => void }
    | undefined
  const progress = (part: SentPart, bytes: number) => {
    part.end += bytes
    if (waiting === undefined || waiting.earlier.has(part) || part.end < waiting.offset) return
    const { work } = waiting
    waiting = undefined
    work()
  }
  const server = createServer({ highWaterMark: 1024 * 1024 }, (request, response) => {
    const { method, url: path, rawHeaders, headers } = request
    const forwarded = send({ hostname, port: targetPort, method, path, headers: rawHeaders, agent: false })
    const cut = () => {
      forwarded.destroy()
      request.destroy()
    }
    forwarded.on('error', cut)
    request.on('error', cut)
    forwarded.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.rawHeaders)
      reply.on('error', cut).pipe(response)
    })
    if (method === 'PATCH') {
      const start = Number(headers['upload-offset'])
      const part = { start, end: start }
      parts.push(part)
      request.on('data', ({ length }: Buffer) => {
        progress(part, length)
      })
    }
    request.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${String(port)}`,
    parts,
    onceSent: (offset, work) => {
      waiting = { offset, earlier: new Set(parts), work }
    },
    close: async () => {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
