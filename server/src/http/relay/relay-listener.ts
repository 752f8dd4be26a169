import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InstanceSignatures } from '../../auth/instance-signatures.ts'
import type { Service } from '../../core/service.ts'
import { MissingDataError } from '../../data/backend/backend.ts'
import { StreamTakenError, type Receiving } from '../../data/backend/streams.ts'
import {
  acknowledgement,
  relayHeaders,
  relayIdleMs,
  relayPathShape,
  relayStatus,
} from '../../domain/relay-protocol.ts'
import { sendSegments } from '../../io/send/send-segments.ts'

export interface RelayListener {
  /** Where other instances reach it. */
  readonly url: string
  readonly close: () => Promise<void>
}

type Relaying = Pick<Service, 'pipe' | 'buffers' | 'instance' | 'log'>

const headMs = 10_000
const maxHeaderBytes = 8_192

/**
 * Listens for other instances of the service, and nobody else: it hands them the streams whose sender is here.
 * @param address where they reach it (`http://HOST:PORT`); empty for this machine, on any free port
 * @param worker place of this process among those that share the address: the n-th takes the n-th port from there
 * @throws when the port is taken
 */
export async function startRelayListener(
  service: Relaying,
  signatures: InstanceSignatures,
  { address, worker }: { readonly address: string; readonly worker: number },
): Promise<RelayListener> {
  const server = createServer(
    // A request lasts as long as its download: only its head is to come soon.
    {
      requestTimeout: 0,
      headersTimeout: headMs,
      keepAliveTimeout: 0,
      maxHeaderSize: maxHeaderBytes,
      noDelay: true,
    },
    (request, response) => {
      relay(service, signatures, request, response).catch((error: unknown) => {
        service.log.debug({ err: error }, 'the relay of a stream broke off')
        response.destroy()
      })
    },
  )
  server.timeout = relayIdleMs
  const place = address === '' ? anyPort : placeOf(address, worker)
  // Workers that share the port of the service must not share this one: each has streams of its own.
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: place.port, host: place.host, exclusive: true }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${place.name}:${String(port)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        server.closeAllConnections()
      }),
  }
}

interface Place {
  readonly name: string
  /** Undefined for all networks. */
  readonly host: string | undefined
  readonly port: number
}

const anyPort: Place = { name: '127.0.0.1', host: '127.0.0.1', port: 0 }

function placeOf(address: string, worker: number): Place {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  return {
    name: hostname,
    host: isIP(host) === 0 ? undefined : host,
    // A URL leaves the usual port out.
    port: (port === '' ? 80 : Number(port)) + worker,
  }
}

async function relay(
  service: Relaying,
  signatures: InstanceSignatures,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const header = (name: string) => String(request.headers[name] ?? '')
  const nonce = header(relayHeaders.nonce)
  const target = header(relayHeaders.target)
  const { method = '', url: path = '' } = request
  const proofs = { nonce, time: header(relayHeaders.time), signature: header(relayHeaders.signature) }
  const answer = (status: number, { type = '', size = '' } = {}) =>
    response.writeHead(status, {
      [relayHeaders.type]: type,
      [relayHeaders.size]: size,
      [relayHeaders.signature]: signatures.signAnswer(nonce, [String(status), type, size]),
      ...(size !== '' && { 'content-length': size }),
    })

  const [, key] = relayPathShape.exec(path) ?? []
  if (method !== 'POST' || key === undefined || !signatures.accept({ method, path, target }, proofs)) {
    response.writeHead(relayStatus.forged, { connection: 'close' }).end()
    return
  }
  if (target !== service.instance) {
    answer(relayStatus.otherInstance).end()
    return
  }
  const receiving = take(service, key)
  if (typeof receiving === 'number') {
    answer(receiving).end()
    return
  }
  const gone = () => {
    receiving.fail(new Error('the other instance went away'))
  }
  request.on('error', gone)
  response.on('close', () => {
    if (!response.writableFinished) gone()
  })
  // Read from the beginning, so that an end of the connection is noticed.
  const body = text(request)
  body.catch(gone)
  const content = await receiving.content.catch(() => null)
  if (content === null) {
    answer(relayStatus.broken).end()
    return
  }
  const { type, size, chunks } = content
  answer(relayStatus.ok, { type, size: size === null ? '' : String(size) }).flushHeaders()
  try {
    const length = size === null ? {} : { length: size }
    const segment = { source: () => Promise.resolve(chunks), ...length }
    await sendSegments([segment], response, { buffers: service.buffers, signal: receiving.signal })
    if ((await body) === acknowledgement) receiving.done()
    else gone()
  } catch (error) {
    receiving.fail(error)
    throw error
  }
}

function take({ pipe }: Relaying, key: string): Receiving | 404 | 409 {
  try {
    return pipe.get(key)
  } catch (error) {
    if (error instanceof MissingDataError) return relayStatus.missing
    if (error instanceof StreamTakenError) return relayStatus.taken
    throw error
  }
}
