import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { Clock } from '../../domain/clock.ts'
import { headersSoFar } from './reply.ts'

/** The number of bytes that wait for a client before its stream ends. */
const maxWaitingBytes = 1_048_576

/** How long a browser waits before it connects again, in ms. */
const reconnectMs = 5_000

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // nginx would otherwise collect events before it passes them on.
  'x-accel-buffering': 'no',
}

/** The client of a stream of server-sent events (HTML standard). */
export interface EventStreamClient {
  /**
   * @param text an event with its empty line
   * @returns false when the client does not keep up
   */
  readonly send: (text: string) => boolean
  readonly heartbeat: () => void
  readonly end: () => void
}

interface EventStreamOptions {
  readonly reply: FastifyReply
  readonly clock: Clock
  /** Seconds after which the stream ends; without it, it ends with the client. */
  readonly wait: number | undefined
}

/**
 * Sends a stream of server-sent events until it ends or its client leaves.
 * @param open begins to send events, and returns what stops it
 * @throws the errors of `open`, before anything is sent
 */
export async function sendEventStream(
  { reply, clock, wait }: EventStreamOptions,
  open: (client: EventStreamClient) => Promise<() => void>,
): Promise<FastifyReply> {
  const { raw } = reply
  let isOpen = true
  const write = (text: string) => {
    // The first events arrive before the stream is known to be possible.
    if (!raw.headersSent) {
      reply.hijack()
      raw.writeHead(200, { ...headersSoFar(reply), ...eventStreamHeaders })
      raw.write(`retry: ${String(reconnectMs)}\n\n`)
    }
    if (isOpen) raw.write(text)
    return raw.writableLength < maxWaitingBytes
  }
  const heartbeat = () => {
    write(':\n\n')
  }
  const end = () => {
    isOpen = false
    if (raw.headersSent) raw.end()
  }
  const close = await open({ send: write, heartbeat, end })
  heartbeat()
  const stop = wait === undefined || wait === 0 ? undefined : clock.every(wait * 1000, end)
  // The stream may have ended before its head was sent.
  if (wait === 0 || !isOpen) end()
  if (!raw.closed) await once(raw, 'close')
  stop?.()
  close()
  return reply
}
