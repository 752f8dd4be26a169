import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export type ResponseHead = Omit<RawResponse, 'body'>

/** A connection whose bytes the test writes and reads. */
export interface RawConnection {
  readonly socket: Socket
  /** Resolves when the bytes are sent, or can no longer be. */
  send(bytes: string | Uint8Array): Promise<void>
  /**
   * The next response, complete.
   * @param method method of the request, since HEAD has no body
   */
  response(method?: string): Promise<RawResponse>
  /** The head of the next response; the test then reads its body. */
  head(): Promise<ResponseHead>
  /**
   * Returns this number of the next bytes.
   * @throws when the connection ends before
   */
  take(length: number): Promise<Buffer>
  /** Everything up to the end of the connection, clean or not. */
  rest(): Promise<Buffer>
  /** Resets the connection, as a client does that crashes. */
  cut(): void
}

export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError'
}

/** Connects to a server. Bytes are read only on request, so that a slow reader can be simulated. */
export async function rawConnection(base: string): Promise<RawConnection> {
  const { hostname, port } = new URL(base)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let pending: Buffer = Buffer.alloc(0)

  const nextChunk = async (): Promise<Buffer | undefined> => {
    try {
      const next = await chunks.next()
      return next.done === true ? undefined : next.value
    } catch {
      return undefined
    }
  }
  const take = async (length: number): Promise<Buffer> => {
    const parts = [pending]
    let size = pending.length
    while (size < length) {
      const chunk = await nextChunk()
      if (chunk === undefined) throw new ConnectionEndedError(`${String(size)} of ${String(length)} bytes`)
      parts.push(chunk)
      size += chunk.length
    }
    const whole = Buffer.concat(parts)
    pending = whole.subarray(length)
    return whole.subarray(0, length)
  }
  const takeThrough = async (delimiter: string): Promise<string> => {
    let end = pending.indexOf(delimiter)
    while (end === -1) {
      const chunk = await nextChunk()
      if (chunk === undefined) throw new ConnectionEndedError(`before ${JSON.stringify(delimiter)}`)
      pending = Buffer.concat([pending, chunk])
      end = pending.indexOf(delimiter)
    }
    return (await take(end + delimiter.length)).toString('latin1')
  }
  const rest = async (): Promise<Buffer> => {
    const parts = [pending]
    for (let chunk = await nextChunk(); chunk !== undefined; chunk = await nextChunk()) parts.push(chunk)
    pending = Buffer.alloc(0)
    return Buffer.concat(parts)
  }
  const chunkedBody = async (): Promise<Buffer> => {
    const parts: Buffer[] = []
    for (;;) {
      const size = Number.parseInt(await takeThrough('\r\n'), 16)
      if (size === 0) break
      parts.push(await take(size))
      await takeThrough('\r\n')
    }
    await takeThrough('\r\n')
    return Buffer.concat(parts)
  }
  const head = async (): Promise<ResponseHead> => {
    const response = parseHead(await takeThrough('\r\n\r\n'))
    return response.status < 200 ? head() : response
  }

  return {
    socket,
    head,
    take,
    rest,
    async send(bytes) {
      if (socket.destroyed || socket.write(bytes)) return
      const { promise, resolve } = Promise.withResolvers<undefined>()
      const done = () => {
        socket.off('drain', done).off('close', done)
        resolve(undefined)
      }
      socket.on('drain', done).on('close', done)
      await promise
    },
    async response(method = 'GET') {
      const response = await head()
      const { status, headers } = response
      if (method === 'HEAD' || status === 204 || status === 304) return { ...response, body: Buffer.alloc(0) }
      if (headers['transfer-encoding'] === 'chunked') return { ...response, body: await chunkedBody() }
      const length = headers['content-length']
      return { ...response, body: length === undefined ? await rest() : await take(Number(length)) }
    },
    cut() {
      socket.resetAndDestroy()
    },
  }
}

function parseHead(head: string): ResponseHead {
  const [statusLine = '', ...lines] = head.trimEnd().split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(statusLine) ?? []
  if (status === undefined) throw new Error(`not an HTTP response: ${statusLine}`)
  return { status: Number(status), headers: Object.fromEntries(headers) as ResponseHead['headers'] }
}

/** The head of a request, as text. */
export const requestHead = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string | number>> = {},
): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: svc.test',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
    '\r\n',
  ].join('\r\n')
