import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import { StoreUnavailableError } from '../backend/backend.ts'
import { storeBody, type StoreBody } from './body.ts'

/** A request to a store. */
export interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Its memory is in use until the response arrives. */
  readonly body?: Uint8Array | StreamedBody
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** A body that is not held in memory. Each chunk has separate memory. */
export interface StreamedBody {
  /** Bytes of all chunks. */
  readonly length: number
  /** To be read once for each request. Its error ends the request, which rejects with it. */
  readonly chunks: () => AsyncIterable<Uint8Array>
}

/** A response, whose body throws StoreUnavailableError when it breaks. */
export interface StoreResponse extends StoreBody {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/**
 * Sends a request, and resolves with any status.
 * @throws StoreUnavailableError, or the reason of the signal
 */
export type StoreClient = (request: StoreRequest) => Promise<StoreResponse>

/** The default time without data after which a store counts as unavailable. Milliseconds. */
const defaultIdleTimeout = 30_000

/** The store sent nothing within the idle timeout. */
class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError'
}

export const isTimeout = (error: unknown) =>
  error instanceof Error && error.cause instanceof StoreTimeoutError

/**
 * HTTP for stores on the network, with keep-alive. Node's `http` rather than `fetch`: it sends from memory two to three
 * times as fast with a third of the CPU time (340 against 100 to 170 MB/s under other load), and reports when all bytes
 * of a request are written.
 */
export function storeClient({ idleTimeout = defaultIdleTimeout } = {}): StoreClient {
  const plain = new http.Agent({ keepAlive: true })
  const secure = new https.Agent({ keepAlive: true })

  return ({ method, url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const isSecure = url.startsWith('https:')
      const call = (isSecure ? https : http).request(url, {
        method,
        agent: isSecure ? secure : plain,
        headers: { ...headers, ...(body && { 'content-length': String(body.length) }) },
        timeout: idleTimeout,
      })
      const onAbort = () => {
        // A request that was sent completely is waited for, because the store may execute it, and the result could not be
        // removed before that.
        if (body === undefined || !call.writableFinished) call.destroy(signal?.reason as Error)
      }
      signal?.addEventListener('abort', onAbort)
      call.on('timeout', () => {
        call.destroy(new StoreTimeoutError(`the store sent nothing for ${String(idleTimeout)} ms`))
      })
      // The listener stays: an error after the response belongs to the body, which reports it.
      call.on('error', (cause) => {
        signal?.removeEventListener('abort', onAbort)
        if (signal?.aborted === true) reject(signal.reason as Error)
        else reject(cause instanceof StreamedBodyError ? cause.reason : unreachable(url, cause))
      })
      call.on('response', (message) => {
        signal?.removeEventListener('abort', onAbort)
        resolve(toResponse(message, url, idleTimeout))
      })
      if (body === undefined || body instanceof Uint8Array) call.end(body)
      else sendChunks(body.chunks(), call)
    })
}

/** The source of a request body failed. */
class StreamedBodyError extends Error {
  override readonly name = 'StreamedBodyError'
  readonly reason: Error

  constructor(reason: Error) {
    super('the body of a request broke off', { cause: reason })
    this.reason = reason
  }
}

function sendChunks(chunks: AsyncIterable<Uint8Array>, call: ClientRequest): void {
  const source = Readable.from(chunks)
  source.on('error', (error) => call.destroy(new StreamedBodyError(error)))
  call.on('close', () => source.destroy())
  source.pipe(call)
}

function toResponse(incoming: IncomingMessage, url: string, idleTimeout: number): StoreResponse {
  // From here on, the body has its own timeout.
  incoming.socket.setTimeout(0)
  const body = storeBody(incoming, idleTimeout)
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    async read() {
      try {
        return await body.read()
      } catch (cause) {
        throw unreachable(url, cause)
      }
    },
    destroy: body.destroy,
  }
}

/** The whole body as text, cut off after `most` characters. */
export async function readText(response: StoreResponse, most = 1024 * 1024): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const chunk = await response.read()
    if (chunk === undefined) return text + decoder.decode()
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= most) {
      response.destroy()
      return text.slice(0, most)
    }
  }
}

const unreachable = (url: string, cause: unknown) =>
  // Without the query, which may contain credentials.
  new StoreUnavailableError(`the store at ${new URL(url).origin} did not respond`, { cause })
