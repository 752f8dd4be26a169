import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InstanceSignatures } from '../auth/instance-signatures.ts'
import type { Service } from '../core/service.ts'
import { MissingDataError } from '../data/backend/backend.ts'
import { StreamTakenError, type StreamReceiver } from '../data/backend/streams.ts'
import { hostIn } from '../domain/access/addresses.ts'
import {
  acknowledgement,
  relayHeaders,
  relayIdleMs,
  relayPathPattern,
  relayStatus,
} from '../domain/relay-protocol.ts'
import { sendSegments } from '../io/send/send-segments.ts'

export interface RelayListener {
  /** The address at which other instances reach it. */
  readonly url: string
  readonly close: () => Promise<void>
}

type RelayService = Pick<Service, 'pipe' | 'buffers' | 'instance' | 'log'>

const headTimeoutMs = 10_000
const maxHeaderBytes = 8_192

/**
 * Listens for other instances of the service only: it sends them the streams whose sender is connected to this
 * instance.
 * @param address address for other instances (`http://HOST:PORT`); empty for any free port of this machine
 * @param worker index of this process among those that share the address: it is added to the port
 * @throws when the port is taken
 */
export async function startRelayListener(
  service: RelayService,
  signatures: InstanceSignatures,
  { address, worker }: { readonly address: string; readonly worker: number },
): Promise<RelayListener> {
  const server = createServer(
    // A request lasts as long as its download, so only its head has a timeout.
    {
      requestTimeout: 0,
      headersTimeout: headTimeoutMs,
      keepAliveTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      noDelay: true,
    },
    (request, response) => {
      relay(service, signatures, request, response).catch((error: unknown) => {
        service.log.debug({ err: error }, 'stream relay failed')
        response.destroy()
      })
    },
  )
  server.timeout = relayIdleMs
  const endpoint = address === '' ? anyLocalPort : endpointOf(address, worker)
  // Workers share the port of the service but not this one: each has its own streams.
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', reject)
      .listen({ port: endpoint.port, host: endpoint.host, exclusive: true }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${endpoint.name}:${String(port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

interface Endpoint {
  readonly name: string
  /** Undefined for all networks. */
  readonly host: string | undefined
  readonly port: number
}

const anyLocalPort: Endpoint = { name: '127.0.0.1', host: '127.0.0.1', port: 0 }

function endpointOf(address: string, worker: number): Endpoint {
  const url = new URL(address)
  const { hostname, port } = url
  const host = hostIn(url)
  return {
    name: hostname,
    host: isIP(host) === 0 ? undefined : host,
    // A URL omits the default port.
    port: (port === '' ? 80 : Number(port)) + worker,
  }
}

async function relay(
  service: RelayService,
  signatures: InstanceSignatures,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string) => String(request.headers[name] ?? '')
  const nonce = header(relayHeaders.nonce)
  const target = header(relayHeaders.target)
  const { method = '', url: path = '' } = request
  const proofs = { nonce, time: header(relayHeaders.time), signature: header(relayHeaders.signature) }
  const respond = (status: number, { type = '', size = '' } = {}) =>
    response.writeHead(status, {
      [relayHeaders.type]: type,
      [relayHeaders.size]: size,
      [relayHeaders.signature]: signatures.signResponse(nonce, [String(status), type, size]),
      ...(size !== '' && { 'content-length': size }),
    })

  const [, key] = relayPathPattern.exec(path) ?? []
  if (method !== 'POST' || key === undefined || !signatures.verify({ method, path, target }, proofs)) {
    response.writeHead(relayStatus.forged, { connection: 'close' }).end()
    return
  }
  if (target !== service.instance) {
    respond(relayStatus.otherInstance).end()
    return
  }
  const receiving = openStream(service, key)
  if (typeof receiving === 'number') {
    respond(receiving).end()
    return
  }
  const fail = () => {
    receiving.fail(new Error('the other instance disconnected'))
  }
  request.on('error', fail)
  response.on('close', () => {
    if (!response.writableFinished) fail()
  })
  // Read the body from the start, so that the end of the connection is detected.
  const body = text(request)
  body.catch(fail)
  const content = await receiving.content.catch(() => null)
  if (content === null) {
    respond(relayStatus.broken).end()
    return
  }
  const { type, size, chunks } = content
  respond(relayStatus.ok, { type, size: size === null ? '' : String(size) }).flushHeaders()
  try {
    const length = size === null ? {} : { length: size }
    const segment = { source: () => Promise.resolve(chunks), ...length }
    const { signal, progress: onProgress } = receiving
    await sendSegments([segment], response, { buffers: service.buffers, signal, onProgress })
    if ((await body) === acknowledgement) receiving.complete()
    else fail()
  } catch (error) {
    receiving.fail(error)
    throw error
  }
}

function openStream({ pipe }: RelayService, key: string): StreamReceiver | 404 | 409 {
  try {
    return pipe.get(key)
  } catch (error) {
    if (error instanceof MissingDataError) return relayStatus.missing
    if (error instanceof StreamTakenError) return relayStatus.taken
    throw error
  }
}
