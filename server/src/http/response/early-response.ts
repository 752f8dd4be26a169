import type { OutgoingHttpHeaders } from 'node:http'
import { resetConnection } from '../../io/send/reset-connection.ts'
import { logFailure, toServiceError } from './error-response.ts'
import { headersSoFar } from './reply.ts'
import type { RequestContext } from '../steps/chain.ts'

/** Time for a client that still sends to notice the end of the response. Milliseconds. */
const lingerMs = 10_000

/** A response that starts before its request has been read. Its end shows whether the request succeeded. */
export interface EarlyResponse {
  /** Sends the head with status 200 and a first line. */
  readonly begin: (headers: OutgoingHttpHeaders, line: string) => void
  readonly hasBegun: () => boolean
  /** Ends the response of a successful request. */
  readonly finish: () => void
  /** Sends a line with the reason and leaves the response incomplete. */
  readonly fail: (error: unknown) => void
}

export function earlyResponse({ service, request, reply }: RequestContext): EarlyResponse {
  const response = reply.raw
  let started = false
  return {
    begin(headers, line) {
      started = true
      reply.hijack()
      // The request reports that a client disconnected.
      response.on('error', () => undefined)
      if (response.destroyed) return
      const contentHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
      response.writeHead(200, { ...headersSoFar(reply), ...contentHeaders, ...headers })
      response.write(line)
    },
    hasBegun: () => started,
    finish: () => response.end(),
    fail(error) {
      const serviceError = toServiceError(error)
      logFailure(serviceError, request, service)
      if (response.destroyed) return
      // Without chunks (HTTP/1.0) only a reset distinguishes an incomplete response.
      if (request.raw.httpVersionMinor === 0) resetConnection(response)
      else endIncomplete(`${serviceError.message}\n`)
    },
  }

  /**
   * Closes the server's side of the connection without the last chunk (RFC 9112 §8). Incoming bytes are discarded for a
   * while: closing both sides at once would reset the connection, and the client might not read the reason.
   */
  function endIncomplete(line: string): void {
    const { socket } = request.raw
    const timer = setTimeout(() => response.destroy(), lingerMs)
    timer.unref()
    response.once('close', () => {
      clearTimeout(timer)
    })
    response.write(line, () => {
      socket.end()
    })
    request.raw.resume()
  }
}
