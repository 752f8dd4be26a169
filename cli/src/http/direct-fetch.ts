import { connect as plain, isIP, type Socket } from 'node:net'
import { createBlockReader, type BlockReader } from './block-reader.ts'
import { attachBody } from './response-body.ts'
import { contentOfChunks } from './chunked-body.ts'
import { bodyFraming, readHead, type BodyFraming, type ResponseHead } from './response-head.ts'
import { addressOf, headerRecord, lightResponse } from './light-response.ts'
import { mayGoByProxy } from './proxies.ts'
import { idleTimeoutMs, type Fetch, type NodeFetchOptions } from './node-fetch.ts'

interface RequestTarget {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
  readonly insecure: boolean
}

/** A response whose body is read into blocks. */
interface DirectResponse {
  readonly head: ResponseHead
  readonly framing: BodyFraming
  readonly reader: BlockReader
  readonly destroy: () => void
}

const requestText = ({ url, headers }: RequestTarget): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    ...lines,
    'connection: close',
    '',
    '',
  ].join('\r\n')
}

/**
 * Sends the request on a separate connection, whose bytes the system puts straight into our blocks: Node's client makes a buffer
 * for every 64 KiB, which costs a download four times the time of a processor.
 * @returns undefined for a response that Node's client must read
 * @throws the error of the connection; the signal's reason
 */
async function sendRequest(target: RequestTarget): Promise<DirectResponse | undefined> {
  const { url, signal, insecure } = target
  const isSecure = url.protocol === 'https:'
  // Loading TLS takes longer than to download a small file.
  const secure = isSecure ? (await import('node:tls')).connect : undefined
  const { promise, resolve, reject } = Promise.withResolvers<DirectResponse | undefined>()
  const headChunks: Buffer[] = []
  /** Bytes that have not arrived, if the head has; infinite if the head does not say how many there are. */
  let missing: number | undefined
  let framing: BodyFraming | undefined
  const reader = createBlockReader(() => {
    socket.setTimeout(idleTimeoutMs)
    socket.resume()
  })
  const fail = (error: Error) => {
    reader.end(error)
    reject(error)
    socket.destroy()
  }
  const take = (bytes: number): boolean => {
    if (missing === undefined) return true
    missing -= bytes
    reader.filled(bytes)
    if (missing <= 0) {
      reader.end()
      socket.destroy()
      return false
    }
    if (reader.room() !== undefined) return true
    // The timeout runs only while the connection is being read.
    socket.setTimeout(0)
    return false
  }
  const begin = (bytes: Buffer): boolean => {
    headChunks.push(Buffer.from(bytes))
    const all = Buffer.concat(headChunks)
    const found = readHead(all)
    if (found === undefined) return true
    const { head, end } = found
    framing = bodyFraming(head)
    const length = typeof framing === 'object' ? framing.length : Infinity
    const body = all.subarray(end)
    if (framing === undefined || body.length > Math.min(length, reader.room()?.length ?? 0)) {
      resolve(undefined)
      socket.destroy()
      return false
    }
    missing = length
    resolve({ head, framing, reader, destroy: () => socket.destroy() })
    reader.room()?.set(body)
    return take(body.length)
  }
  const scratch = Buffer.allocUnsafeSlow(64 * 1024)
  const onread = {
    buffer: () => (missing === undefined ? scratch : (reader.room() ?? scratch)),
    callback: (bytes: number, buffer: Uint8Array) => {
      try {
        const read = Buffer.from(buffer.buffer, buffer.byteOffset, bytes)
        if (missing === undefined) return begin(read)
        // The read before this one requested the target of this one, when no block was free.
        if (buffer === scratch) reader.room()?.set(read)
        return take(bytes)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
        return false
      }
    },
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port === '' ? (isSecure ? 443 : 80) : url.port)
  const way = { host, port, onread }
  const certificates = { rejectUnauthorized: !insecure, ...(isIP(host) === 0 && { servername: host }) }
  const socket: Socket = secure ? secure({ ...way, ...certificates }) : plain(way)
  const abort = () => {
    fail(signal?.reason as Error)
  }
  signal?.addEventListener('abort', abort, { once: true })
  socket.setTimeout(idleTimeoutMs, () => {
    fail(new Error(`no data received for ${String(idleTimeoutMs / 1000)} s`))
  })
  socket.on('error', fail)
  socket.on('close', () => {
    signal?.removeEventListener('abort', abort)
    if (missing !== undefined && missing <= 0) return
    // A failure has ended it before.
    if (framing === 'close') reader.end()
    else fail(new Error('the connection was cut'))
  })
  socket.write(requestText(target))
  return promise
}

/** The reader does not know where a chunked body ends, so the connection ends after the last chunk. */
const chunkedBatches = ({ reader, destroy }: DirectResponse): BlockReader['batches'] =>
  async function* (pace) {
    yield* contentOfChunks(reader.batches(pace))
    destroy()
  }

async function whole(batches: BlockReader['batches']): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const batch of batches(() => undefined)) all.push(...batch.map((buffer) => Buffer.from(buffer)))
  return Buffer.concat(all)
}

/**
 * `fetch` for the download of large files. Another `fetch` makes the requests that go through a proxy, and repeats those whose
 * response is encoded, which the request rules out.
 */
export function createDirectFetch({ environment, insecure }: NodeFetchOptions, fallback: Fetch): Fetch {
  return async (input, init = {}) => {
    const url = addressOf(input)
    const { signal } = init
    signal?.throwIfAborted()
    if ((init.method ?? 'GET') !== 'GET' || mayGoByProxy(url, environment)) return fallback(input, init)
    // Without it, any encoding would be acceptable (RFC 9110 §12.5.3), and the response could not be read here.
    const headers = { ...headerRecord(init.headers), 'accept-encoding': 'identity' }
    const direct = await sendRequest({ url, headers, insecure, signal: signal ?? undefined })
    if (direct === undefined) return fallback(input, init)
    const { head, framing, reader, destroy } = direct
    const batches = framing === 'chunked' ? chunkedBatches(direct) : reader.batches
    const { status, reason: statusText } = head
    const responseInit = { status, statusText, headers: head.headers }
    if (status === 200 || status === 206)
      return attachBody(lightResponse(null, responseInit), { batches, destroy })
    const hasBody = ![204, 205, 304].includes(status)
    return new Response(hasBody ? Uint8Array.from(await whole(batches)) : null, responseInit)
  }
}
