import { Agent, request as send, type ClientRequest, type IncomingMessage } from 'node:http'
import {
  acknowledgement,
  relayHeaders,
  relayIdleMs,
  relayPath,
  relayStatus,
} from '../../domain/relay-protocol.ts'
import { MissingDataError } from '../backend/backend.ts'
import {
  BrokenStreamError,
  StreamTakenError,
  UnreachableInstanceError,
  type Instance,
  type StreamContent,
  type StreamRelay,
} from '../backend/streams.ts'
import { checkKey } from '../backend/key.ts'
import { ignore } from '../../domain/ignore.ts'

/** Signs the requests of a relay, and verifies the responses. */
export interface RelaySignatures {
  readonly sign: (request: { readonly method: string; readonly path: string; readonly target: string }) => {
    readonly time: string
    readonly nonce: string
    readonly signature: string
  }
  readonly isResponse: (nonce: string, head: readonly string[], signature: string) => boolean
}

const connectMs = 5_000
/** TCP keep-alive detects a machine that has disappeared. */
const probeMs = 10_000

/**
 * Receives streams from other instances over HTTP. The body of the request stays open until the last byte was written to the
 * recipient's socket: the acknowledgement ends it.
 * @param releaseMemory frees the memory of bytes that have been read and copied
 */
export function streamRelay(
  signatures: RelaySignatures,
  releaseMemory: (bytes: Uint8Array) => void,
): StreamRelay {
  // With keep-alive, a connection outlives its response until the acknowledgement is sent. It is not reused afterwards,
  // because its listeners belong to one stream. (The agent treats `maxFreeSockets: 0` as its default.)
  const agent = Object.assign(new Agent({ keepAlive: true }), { keepSocketAlive: () => false })

  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- refusals are rejections, as in every backend
    async get(key, at) {
      checkKey(key)
      if (at.url === '') throw new UnreachableInstanceError('the instance has no address')
      const content = Promise.withResolvers<StreamContent>()
      content.promise.catch(ignore)
      const stop = new AbortController()
      const fail = (error: Error) => {
        content.reject(error)
        stop.abort(error)
        request.destroy()
      }
      const { request, nonce } = open(key, at)
      request.on('error', (cause) => {
        fail(new UnreachableInstanceError(`the instance at ${at.url} cannot be reached`, { cause }))
      })
      request.on('response', (response) => {
        response.on('error', (cause) => {
          fail(new BrokenStreamError('the instance of the sender disconnected', { cause }))
        })
        const error = errorIn(response, nonce)
        if (error === null) content.resolve(contentOf(response))
        else fail(error)
      })
      return {
        content: content.promise,
        signal: stop.signal,
        // The instance of the sender counts what it relays.
        progress: ignore,
        complete: () => request.end(acknowledgement),
        fail: (cause) => {
          fail(new BrokenStreamError('the recipient disconnected', { cause }))
        },
      }
    },
  }

  function open(
    key: string,
    { id, url }: Instance,
  ): { readonly request: ClientRequest; readonly nonce: string } {
    const path = relayPath(key)
    const { time, nonce, signature } = signatures.sign({ method: 'POST', path, target: id })
    const request = send(new URL(path, url), {
      method: 'POST',
      agent,
      headers: {
        [relayHeaders.target]: id,
        [relayHeaders.time]: time,
        [relayHeaders.nonce]: nonce,
        [relayHeaders.signature]: signature,
      },
    })
    request.setNoDelay(true)
    request.setSocketKeepAlive(true, probeMs)
    request.on('socket', (socket) => {
      socket.setTimeout(connectMs, () => {
        request.destroy(new Error('nothing arrived within the timeout'))
      })
      socket.once('connect', () => {
        socket.setTimeout(relayIdleMs)
      })
      // Called after the parser, which has copied all bytes by then.
      socket.on('data', releaseMemory)
    })
    request.flushHeaders()
    return { request, nonce }
  }

  function errorIn({ statusCode = 0, headers }: IncomingMessage, nonce: string): Error | null {
    const [type, size, signature] = [relayHeaders.type, relayHeaders.size, relayHeaders.signature].map(
      (name) => String(headers[name] ?? ''),
    ) as [string, string, string]
    if (!signatures.isResponse(nonce, [String(statusCode), type, size], signature))
      return new UnreachableInstanceError('another program responds at the address of the instance')
    switch (statusCode) {
      case relayStatus.ok:
        return null
      case relayStatus.missing:
        return new MissingDataError('the stream has no sender there')
      case relayStatus.taken:
        return new StreamTakenError('the stream has a recipient already')
      case relayStatus.otherInstance:
        return new UnreachableInstanceError('another instance responds at the address')
      default:
        return new BrokenStreamError('the sender disconnected')
    }
  }
}

function contentOf(response: IncomingMessage): StreamContent {
  const size = String(response.headers[relayHeaders.size] ?? '')
  return {
    type: String(response.headers[relayHeaders.type] ?? ''),
    size: size === '' ? null : Number(size),
    chunks: response as AsyncIterable<Uint8Array>,
  }
}
