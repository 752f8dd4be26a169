import type { OutgoingHttpHeaders } from 'node:http'
import { resetConnection } from '../../io/send/reset-connection.ts'
import { headersSoFar, logFailure, toServiceError } from './error-response.ts'
import type { RequestContext } from '../chain/chain.ts'

/** How long a client that still sends gets to notice the end, in milliseconds. */
const lingerMs = 10_000

/** An answer that begins before its request has been read, and says with its end how that went. */
export interface EarlyResponse {
  /** Sends the head, with 200, and a first line. */
  readonly begin: (headers: OutgoingHttpHeaders, line: string) => void
  readonly hasBegun: () => boolean
  /** The request came to a good end. */
  readonly finish: () => void
  /** It did not: the answer lacks its end, behind a line with the reason. */
  readonly breakOff: (error: unknown) => void
}

export function earlyResponse({ service, request, reply }: RequestContext): EarlyResponse {
  const response = reply.raw
  let begun = false
  return {
    begin(headers, line) {
      begun = true
      reply.hijack()
      // A client that has gone is noticed by the request.
      response.on('error', () => undefined)
      if (response.destroyed) return
      const fixed = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
      response.writeHead(200, { ...headersSoFar(reply), ...fixed, ...headers })
      response.write(line)
    },
    hasBegun: () => begun,
    finish: () => response.end(),
    breakOff(error) {
      const refused = toServiceError(error)
      logFailure(refused, request, service.log)
      if (response.destroyed) return
      // Without chunks (HTTP/1.0) only a reset tells a broken answer from a whole one.
      if (request.raw.httpVersionMinor === 0) resetConnection(response)
      else endWithoutEnd(`${refused.message}\n`)
    },
  }

  /**
   * Closes our side of the connection without the last chunk (RFC 9112 §8). What still comes is read and dropped for a
   * while: closing both sides at once would reset the connection, and the client might never read why.
   */
  function endWithoutEnd(line: string): void {
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
