import { request as plain, Agent, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AgentOptions } from 'node:https'
import type { Program } from '../program/program.ts'
import { batched, attachBody } from './response-body.ts'
import { addressOf, headerRecord, lightHeaders, lightResponse } from './light-response.ts'
import { proxyEnvironment } from './proxies.ts'

export type Fetch = typeof globalThis.fetch

/** How long no data may arrive after a request, in milliseconds. */
export const idleTimeoutMs = 120_000

type RequestBody = ReadableStream<Uint8Array> | string | Uint8Array | undefined

function requestBody({ body }: RequestInit): RequestBody {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream)
    return body as RequestBody
  if (body instanceof Blob) return body.stream()
  throw new TypeError('a body is a text, bytes, a blob or a stream')
}

/** Locks the connection's stream only when it is read. */
function webStream(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  let chunks: AsyncIterator<Uint8Array<ArrayBuffer>> | undefined
  return new ReadableStream(
    {
      pull: async (controller) => {
        chunks ??= (incoming as AsyncIterable<Uint8Array<ArrayBuffer>>)[Symbol.asyncIterator]()
        const next = await chunks.next()
        if (next.done === true) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => {
        incoming.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

function responseOf(incoming: IncomingMessage): Response {
  const headers = lightHeaders(
    Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value) => [name, value] as const),
    ),
  )
  const status = incoming.statusCode ?? 0
  const empty = [101, 204, 205, 304].includes(status)
  if (empty) incoming.resume()
  const body = empty ? null : webStream(incoming)
  const response = lightResponse(body, { status, statusText: incoming.statusMessage ?? '', headers })
  return attachBody(response, {
    batches: (pace) => batched(incoming as AsyncIterable<Buffer<ArrayBuffer>>, pace),
    destroy: () => {
      incoming.destroy()
    },
  })
}

export interface NodeFetchOptions {
  /** With the proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`. */
  readonly environment: Program['environment']
  /** Accept any certificate. */
  readonly insecure: boolean
  /** Sets no idle timeout: the sender of a stream waits for its download. */
  readonly noIdleTimeout?: boolean
}

/**
 * `fetch` over Node's HTTP client, with the features that the SDK uses: it follows no redirects, sends streams as they are
 * produced, returns files without web streams, and can skip the verification of certificates.
 */
export function createNodeFetch({ environment, insecure, noIdleTimeout = false }: NodeFetchOptions): Fetch {
  // Node supports proxies from 24.5 on.
  const options = { keepAlive: true, maxSockets: 64, proxyEnv: proxyEnvironment(environment) }
  const agent = new Agent(options)
  let secured: ReturnType<typeof secure> | undefined
  return async (input, init = {}) => {
    const url = addressOf(input)
    const { signal } = init
    signal?.throwIfAborted()
    const bytes = requestBody(init)
    const headers = headerRecord(init.headers)
    if (typeof bytes === 'string') headers['content-length'] = String(Buffer.byteLength(bytes))
    if (bytes === undefined && init.method !== undefined && !['GET', 'HEAD'].includes(init.method))
      headers['content-length'] = '0'
    const way =
      url.protocol === 'https:'
        ? await (secured ??= secure({ ...options, rejectUnauthorized: !insecure }))
        : { send: plain, agent }
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const asking: RequestOptions = { method: init.method ?? 'GET', headers, agent: way.agent }
    const request = way.send(url, { ...asking, ...(signal && { signal }) })
    request.on('response', (incoming) => {
      incoming.once('error', () => undefined)
      resolve(responseOf(incoming))
    })
    request.on('error', reject)
    if (!noIdleTimeout)
      request.setTimeout(idleTimeoutMs, () => {
        request.destroy(new Error(`no data received for ${String(idleTimeoutMs / 1000)} s`))
      })
    if (bytes instanceof ReadableStream) sendStream(request, bytes).catch(reject)
    else request.end(bytes)
    return promise
  }
}

/** TLS with its certificates takes longer to load than a small file to send, so it waits for an address that needs it. */
async function secure(options: AgentOptions) {
  const { request, Agent: SecureAgent } = await import('node:https')
  return { send: request, agent: new SecureAgent(options) }
}

type ClientRequest = ReturnType<typeof plain>

/**
 * Writes the chunks of a stream to a request, as fast as the connection accepts them, until the stream ends or is cancelled.
 * It requests a chunk when the connection has sent all but the one before, so that the stream may reuse their memory.
 */
async function sendStream(request: ClientRequest, stream: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stream.getReader()
  const closed = new Promise<'closed'>((resolve) => {
    request.once('close', () => {
      resolve('closed')
    })
  })
  let lastWrite = Promise.resolve<'written' | 'closed'>('written')
  try {
    for (;;) {
      const next = await reader.read()
      if ((await Promise.race([lastWrite, closed])) === 'closed' || request.destroyed) return
      if (next.done) break
      lastWrite = new Promise((resolve) => {
        request.write(next.value, (error) => {
          resolve(error ? 'closed' : 'written')
        })
      })
    }
    request.end()
  } catch (error) {
    request.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  } finally {
    // Closes a source that is not read to its end.
    void reader.cancel().catch(() => undefined)
  }
}
