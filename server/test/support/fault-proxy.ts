import { once } from 'node:events'
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of a request. Sizes are bytes of a body. */
export type Fault =
  | { readonly kind: 'answer'; readonly status: number }
  /** The connection is cut when so much has been passed on to the server. */
  | { readonly kind: 'cut request'; readonly after: number }
  /** The server does what it is asked, and nobody is told. */
  | { readonly kind: 'lose answer' }
  | { readonly kind: 'cut answer'; readonly after: number }
  /** Nothing is ever said. */
  | { readonly kind: 'silence' }
  /** Passed on when the promise resolves. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }

/** Tells by a request's method and its path with the query. */
export type Match = (method: string, path: string) => boolean

export interface FaultProxy {
  readonly url: string
  /** Method and path of every request. */
  readonly requests: string[]
  /** Requests that match get the fault, so many times, instead of faults that were planned before. */
  plan(fault: Fault, match: Match, times?: number): void
  heal(): void
  close(): Promise<void>
}

/** A proxy before a store over HTTP, which breaks what it is told to. @param target address of the store */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const plans: { fault: Fault; match: Match; times: number }[] = []
  const requests: string[] = []
  const faultOf = (method: string, path: string) => {
    const plan = plans.findLast(({ match, times }) => times > 0 && match(method, path))
    if (plan !== undefined) plan.times -= 1
    return plan?.fault
  }
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    // What breaks here is broken on purpose, or by the other side.
    pass({ request, response, target }, faultOf(method, url)).catch(() => request.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    plan(fault, match, times = 1) {
      plans.push({ fault, match, times })
    },
    heal() {
      plans.length = 0
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: string
}

async function pass({ request, response, target }: Exchange, fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'silence') return
  if (fault?.kind === 'hold') await fault.until
  if (fault?.kind === 'answer') {
    request.resume()
    await once(request, 'end')
    response.writeHead(fault.status).end('not today')
    return
  }
  const { method, headers } = request
  // The name that the client called, so that addresses in answers lead back here.
  const upstream = http.request(`${target}${request.url ?? ''}`, { method, headers, agent: false })
  request.on('close', () => {
    if (!request.complete) upstream.destroy()
  })
  const answered = once(upstream, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => request.destroy())
  let passed = 0
  for await (const chunk of request) {
    const bytes = chunk as Buffer
    const most = fault?.kind === 'cut request' ? fault.after : Infinity
    const part = bytes.subarray(0, Math.max(0, most - passed))
    passed += part.length
    await new Promise((resolve) => upstream.write(part, resolve))
    if (passed >= most) {
      upstream.destroy()
      request.destroy()
      return
    }
  }
  upstream.end()
  const [answer] = await answered
  await passAnswer(answer, response, fault)
}

async function passAnswer(answer: IncomingMessage, response: ServerResponse, fault: Fault | undefined) {
  if (fault?.kind === 'lose answer') {
    answer.resume()
    await once(answer, 'end')
    response.destroy()
    return
  }
  response.writeHead(answer.statusCode ?? 502, answer.headers)
  response.on('close', () => answer.destroy())
  const most = fault?.kind === 'cut answer' ? fault.after : Infinity
  let passed = 0
  for await (const chunk of answer) {
    const part = (chunk as Buffer).subarray(0, Math.max(0, most - passed))
    passed += part.length
    if (!response.write(part)) await once(response, 'drain')
    if (passed >= most) {
      await new Promise((resolve) => response.write('', resolve))
      response.destroy()
      return
    }
  }
  response.end()
}
