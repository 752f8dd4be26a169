import { MissingDataError } from '../backend/backend.ts'
import {
  BrokenStreamError,
  StreamTakenError,
  type StreamReceiver,
  type StreamSender,
  type StreamContent,
  type StreamPipe,
} from '../backend/streams.ts'
import { checkKey } from '../backend/key.ts'
import { ignore } from '../../domain/ignore.ts'

interface Stream {
  waiting: boolean
  /** Bytes that the recipient has. */
  delivered: number
  started: boolean
  readonly accepted: PromiseWithResolvers<undefined>
  readonly content: PromiseWithResolvers<StreamContent>
  readonly finished: PromiseWithResolvers<undefined>
  readonly stop: AbortController
}

/** The streams of one process. Each decision is synchronous, so that two recipients never get the same stream. */
export function streamPipe(): StreamPipe {
  const streams = new Map<string, Stream>()
  let closed: { readonly reason: unknown } | undefined

  /** Ends both sides at once; only the first end counts. */
  const end = (key: string, stream: Stream, failure?: { readonly reason: unknown }) => {
    if (streams.get(key) !== stream) return
    streams.delete(key)
    if (failure === undefined) {
      stream.finished.resolve(undefined)
      return
    }
    const { reason } = failure
    stream.accepted.reject(reason)
    stream.content.reject(reason)
    stream.finished.reject(reason)
    stream.stop.abort(reason)
  }

  return {
    add(key): StreamSender {
      checkKey(key)
      if (streams.has(key)) throw new StreamTakenError(`${key} has a sender already`)
      const stream = newStream()
      streams.set(key, stream)
      if (closed !== undefined) end(key, stream, closed)
      return {
        started: () => {
          stream.started = true
        },
        accepted: stream.accepted.promise,
        signal: stream.stop.signal,
        send(content) {
          stream.content.resolve(content)
          return stream.finished.promise
        },
        fail: (reason) => {
          end(key, stream, { reason })
        },
      }
    },
    get(key): StreamReceiver {
      checkKey(key)
      const stream = streams.get(key)
      if (stream === undefined) throw new MissingDataError(`${key} has no sender`)
      if (!stream.waiting) throw new StreamTakenError(`${key} has a recipient already`)
      stream.waiting = false
      stream.accepted.resolve(undefined)
      return {
        content: stream.content.promise,
        signal: stream.stop.signal,
        progress: (bytes) => {
          stream.delivered = bytes
        },
        complete: () => {
          end(key, stream)
        },
        fail: (cause) => {
          end(key, stream, { reason: new BrokenStreamError('the recipient disconnected', { cause }) })
        },
      }
    },
    remove(key, reason) {
      checkKey(key)
      const stream = streams.get(key)
      if (stream !== undefined) end(key, stream, { reason })
    },
    active: () => [...streams].flatMap(([key, { waiting, started }]) => (started ? [{ key, waiting }] : [])),
    delivered: (key) => {
      const stream = streams.get(key)
      return stream?.waiting === false ? stream.delivered : undefined
    },
    close(reason) {
      closed = { reason }
      for (const [key, stream] of streams) if (stream.waiting) end(key, stream, closed)
    },
  }
}

function newStream(): Stream {
  const stream = {
    waiting: true,
    delivered: 0,
    started: false,
    accepted: Promise.withResolvers<undefined>(),
    content: Promise.withResolvers<StreamContent>(),
    finished: Promise.withResolvers<undefined>(),
    stop: new AbortController(),
  }
  // Callers need not await all three promises.
  for (const { promise } of [stream.accepted, stream.content, stream.finished]) promise.catch(ignore)
  return stream
}
