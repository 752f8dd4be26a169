import { MissingDataError } from '../backend/backend.ts'
import {
  BrokenStreamError,
  StreamTakenError,
  type Receiving,
  type Sending,
  type StreamContent,
  type StreamPipe,
} from '../backend/streams.ts'
import { checkKey } from '../backend/key.ts'

interface Stream {
  waiting: boolean
  begun: boolean
  readonly taken: PromiseWithResolvers<undefined>
  readonly content: PromiseWithResolvers<StreamContent>
  readonly finished: PromiseWithResolvers<undefined>
  readonly stop: AbortController
}

/** The streams of one process. Nothing in it waits between looking and deciding, so that two never both win. */
export function streamPipe(): StreamPipe {
  const streams = new Map<string, Stream>()
  let closed: { readonly reason: unknown } | undefined

  /** Both sides learn of an end at the same moment, and only of the first. */
  const end = (key: string, stream: Stream, failure?: { readonly reason: unknown }) => {
    if (streams.get(key) !== stream) return
    streams.delete(key)
    if (failure === undefined) {
      stream.finished.resolve(undefined)
      return
    }
    const { reason } = failure
    stream.taken.reject(reason)
    stream.content.reject(reason)
    stream.finished.reject(reason)
    stream.stop.abort(reason)
  }

  return {
    add(key): Sending {
      checkKey(key)
      if (streams.has(key)) throw new StreamTakenError(`somebody sends under ${key} already`)
      const stream = newStream()
      streams.set(key, stream)
      if (closed !== undefined) end(key, stream, closed)
      return {
        begun: () => {
          stream.begun = true
        },
        taken: stream.taken.promise,
        signal: stream.stop.signal,
        give(content) {
          stream.content.resolve(content)
          return stream.finished.promise
        },
        fail: (reason) => {
          end(key, stream, { reason })
        },
      }
    },
    get(key): Receiving {
      checkKey(key)
      const stream = streams.get(key)
      if (stream === undefined) throw new MissingDataError(`nobody sends under ${key}`)
      if (!stream.waiting) throw new StreamTakenError(`somebody receives ${key} already`)
      stream.waiting = false
      stream.taken.resolve(undefined)
      return {
        content: stream.content.promise,
        signal: stream.stop.signal,
        done: () => {
          end(key, stream)
        },
        fail: (cause) => {
          end(key, stream, { reason: new BrokenStreamError('the downloader went away', { cause }) })
        },
      }
    },
    remove(key, reason) {
      checkKey(key)
      const stream = streams.get(key)
      if (stream !== undefined) end(key, stream, { reason })
    },
    running: () => [...streams].flatMap(([key, { waiting, begun }]) => (begun ? [{ key, waiting }] : [])),
    close(reason) {
      closed = { reason }
      for (const [key, stream] of streams) if (stream.waiting) end(key, stream, closed)
    },
  }
}

function newStream(): Stream {
  const stream = {
    waiting: true,
    begun: false,
    taken: Promise.withResolvers<undefined>(),
    content: Promise.withResolvers<StreamContent>(),
    finished: Promise.withResolvers<undefined>(),
    stop: new AbortController(),
  }
  // Failures reach whoever asks; nobody has to ask for all three.
  for (const { promise } of [stream.taken, stream.content, stream.finished]) promise.catch(ignore)
  return stream
}

function ignore(): void {
  // Deliberately nothing.
}
