import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { deliveryErrors } from '@svc/contract'
import { hostIn } from '../domain/access/addresses.ts'
import type { MayConnect } from './public-address.ts'
import { resolveByDns, type Resolve } from './resolve.ts'

/** The number of bytes of a response that are read; its content is not used. */
const maxResponseBytes = 65_536

/** A request that got no response. Its message is shown to the user, and has nothing of the response or of the network. */
export class UndeliveredError extends Error {
  override readonly name = 'UndeliveredError'
  /** The target did not respond in time. */
  readonly isTimeout: boolean

  constructor(message: string, { isTimeout = false, cause }: { isTimeout?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isTimeout = isTimeout
  }
}

/** The response to a request, without its content. */
export interface PostResponse {
  readonly status: number
  /** The value of the header `Retry-After`. */
  readonly retryAfter: string | undefined
  /** The content did not end in time. */
  readonly isTimeout: boolean
}

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly mayConnect: MayConnect
  /** The time in ms for resolving the name, connecting, and the response. */
  readonly timeoutMs: number
  /** By default, name servers are asked. */
  readonly resolve?: Resolve
}

/**
 * Sends a POST request. The name is resolved once, the address is checked, and the connection goes to that address, so that
 * the name cannot lead elsewhere between check and connection. Redirects are not followed.
 * @throws UndeliveredError
 */
export async function post(url: URL, options: PostOptions): Promise<PostResponse> {
  const signal = AbortSignal.timeout(options.timeoutMs)
  try {
    const address = await unlessAborted(addressOf(url, options), signal)
    return await send(url, address, options, signal)
  } catch (error) {
    if (signal.aborted) throw new UndeliveredError(deliveryErrors.timeout, { isTimeout: true, cause: error })
    throw error
  }
}

/** The first address of a host to which the service may connect. */
async function addressOf(url: URL, { mayConnect, resolve = resolveByDns }: PostOptions): Promise<string> {
  // A URL has canonical addresses: `http://2130706433` and `http://0x7f.1` are 127.0.0.1.
  const host = hostIn(url)
  const addresses = isIP(host) === 0 ? await resolveHost(host, resolve) : [host]
  const allowed = addresses.find(mayConnect)
  if (allowed === undefined) throw new UndeliveredError(deliveryErrors.address)
  return allowed
}

async function resolveHost(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host)
  } catch (error) {
    throw new UndeliveredError(deliveryErrors.address, { cause: error })
  }
}

/** The signal ends the connection: without a response, this rejects. */
function send(
  url: URL,
  address: string,
  { headers, body }: PostOptions,
  signal: AbortSignal,
): Promise<PostResponse> {
  const bytes = Buffer.from(body)
  const lookupPinned: LookupFunction = (_host, { all }, callback) => {
    const family = isIP(address)
    if (all === true) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes.length },
    lookup: lookupPinned,
    // A connection that stays open would skip the check of the address.
    agent: false,
    signal,
    maxHeaderSize: 16_384,
  }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    request.on('response', (response) => {
      isAnswered = true
      const received = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
      endOf(response).then(
        () => {
          resolve({ ...received, isTimeout: false })
        },
        // The status counts even when the content does not arrive.
        () => {
          resolve({ ...received, isTimeout: signal.aborted })
        },
      )
    })
    // A switch of protocols ends the request without a response.
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, retryAfter: undefined, isTimeout: false })
    })
    // Reading a response notices its end by itself.
    const fail = (cause?: Error) => {
      if (!isAnswered) reject(new UndeliveredError(deliveryErrors.connection, { cause }))
    }
    request.on('error', fail)
    request.on('close', () => {
      fail()
    })
    request.end(bytes)
  })
}

/** Reads the beginning of a response, so that its sender does not see an interrupted connection. */
async function endOf(response: IncomingMessage): Promise<void> {
  let read = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length
    // Leaving the loop closes the connection.
    if (read > maxResponseBytes) break
  }
}

async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(new Error('aborted', { cause: signal.reason }))
  }
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
