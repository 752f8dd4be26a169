import type { Logger } from 'pino'
import { tooManyStreams } from '../../domain/errors.ts'
import type { BudgetKey } from '../../domain/access/budget-key.ts'
import type { Clock } from '../../domain/clock.ts'
import type { MetadataStore } from '../../metadata/store.ts'

/** The interval at which an instance looks for changes of all watched uploads, in ms. */
const pollMs = 2_000

/**
 * The share of the time in which an instance reads the states of watched uploads: after a slow look, the next one waits, so that
 * guests who watch many large uploads do not occupy the database.
 */
const maxShare = 0.1

/** The longest wait after a slow look, in ms: it may have waited for a database that was unavailable. */
const maxPauseMs = 30_000

/** The interval at which streams receive a sign that the connection works, in ms. */
const heartbeatMs = 15_000

/** The maximum number of streams of a network, and of all networks, in one process. */
const maxStreams = { ofNetwork: 64, ofAll: 2_000 }

/** The maximum number of uploads of a query. */
const maxBatch = 256

/** A client that waits for changes of uploads. */
export interface UploadListener {
  readonly uploadIds: readonly string[]
  /** The client's network; null if it is exempt from the limit. */
  readonly network: BudgetKey | null
  /** @returns false when the client does not keep up: the stream ends */
  readonly send: (uploadId: string) => boolean
  readonly heartbeat: () => void
  readonly end: () => void
}

export interface UploadEventStreams {
  /**
   * Sends the changes that visitors see of uploads, from the time at which it resolves until the stream is closed: at most one
   * event of an upload for each look. Uploads that do not exist, those with a password, and those that a
   * request has received, have no events.
   * @returns closes the stream
   * @throws ServiceError `too_many_connections`, `unavailable`
   */
  readonly open: (listener: UploadListener) => Promise<() => void>
  /** The number of open streams. */
  readonly count: () => number
  /** Ends all streams. */
  readonly close: () => void
}

interface WatchedUpload {
  /** As of the last look; undefined for an upload without events. */
  state: string | undefined
  readonly listeners: Set<UploadListener>
}

export interface UploadEventStreamsOptions {
  readonly store: { readonly uploads: Pick<MetadataStore['uploads'], 'states'> }
  readonly clock: Clock
  /** For intervals: `clock` may jump. */
  readonly durations: Clock
  readonly log: Pick<Logger, 'warn'>
}

/**
 * Streams of changes of uploads. Each instance compares the states of all uploads that its clients watch with those of its last
 * look into the database, so it sees the changes of all instances, and it costs nothing while no one watches.
 */
export function uploadEventStreams({
  store,
  clock,
  durations,
  log,
}: UploadEventStreamsOptions): UploadEventStreams {
  const streams = new Set<UploadListener>()
  const watched = new Map<string, WatchedUpload>()
  let stopTimers: (() => void) | undefined
  let polling: Promise<void> | undefined
  let nextPollAt = -Infinity

  const ofNetwork = (network: BudgetKey) =>
    streams.values().reduce((count, stream) => count + (stream.network === network ? 1 : 0), 0)
  const remove = (stream: UploadListener) => {
    if (!streams.delete(stream)) return
    for (const id of stream.uploadIds) {
      const listeners = watched.get(id)?.listeners
      listeners?.delete(stream)
      if (listeners?.size === 0) watched.delete(id)
    }
    if (streams.size > 0) return
    stopTimers?.()
    stopTimers = undefined
  }
  const end = (stream: UploadListener) => {
    remove(stream)
    stream.end()
  }

  const statesOf = (ids: readonly string[]) => store.uploads.states(ids, clock.now())
  const compare = (id: string, state: string | undefined) => {
    const upload = watched.get(id)
    if (upload === undefined || upload.state === state) return
    upload.state = state
    for (const stream of upload.listeners) if (!stream.send(id)) end(stream)
  }
  const pollAll = async () => {
    const begunAt = durations.now()
    try {
      const ids = [...watched.keys()]
      for (let at = 0; at < ids.length; at += maxBatch) {
        const batch = ids.slice(at, at + maxBatch)
        const states = await statesOf(batch)
        for (const id of batch) compare(id, states.get(id))
      }
    } catch (error) {
      log.warn({ err: error }, 'changes of uploads could not be read, retrying')
    } finally {
      const endedAt = durations.now()
      nextPollAt = Math.min(begunAt + (endedAt - begunAt) / maxShare, endedAt + maxPauseMs)
      polling = undefined
    }
  }
  const startTimers = () => {
    const stops = [
      durations.every(pollMs, () => {
        if (durations.now() >= nextPollAt) polling ??= pollAll()
      }),
      durations.every(heartbeatMs, () => {
        for (const stream of streams) stream.heartbeat()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  return {
    async open(listener) {
      const { network, uploadIds } = listener
      if (streams.size >= maxStreams.ofAll) throw tooManyStreams()
      if (network !== null && ofNetwork(network) >= maxStreams.ofNetwork) throw tooManyStreams()
      const stream = { ...listener, uploadIds: [...new Set(uploadIds)] }
      streams.add(stream)
      stopTimers ??= startTimers()
      try {
        const states = await statesOf(stream.uploadIds.filter((id) => !watched.has(id)))
        // The stream may have ended meanwhile.
        for (const id of streams.has(stream) ? stream.uploadIds : []) {
          const upload = watched.get(id) ?? { state: states.get(id), listeners: new Set() }
          watched.set(id, upload)
          upload.listeners.add(stream)
        }
      } catch (error) {
        remove(stream)
        throw error
      }
      return () => {
        remove(stream)
      }
    },
    count: () => streams.size,
    close() {
      for (const stream of streams) end(stream)
    },
  }
}
