import type { Logger } from 'pino'
import type { Clock } from '../../../domain/clock.ts'
import { tooManyStreams } from '../../../domain/errors.ts'
import type { EventRecord } from '../../../domain/notification-records.ts'
import type { EventKey } from '../../../metadata/notifications/events.ts'
import type { MetadataStore } from '../../../metadata/store.ts'

/** The interval at which an instance looks for events of all streams that are open, in ms. */
const pollMs = 2_000

/** The interval at which streams receive a sign that the connection works, and their session is checked, in ms. */
const heartbeatMs = 15_000

/** The maximum number of streams of an account, and of all accounts, in one process. */
const maxStreams = { ofUser: 8, ofAll: 2_000 }

/** How long events are kept after a stream has ended, so that it can continue, in ms. */
const keptMs = 24 * 3_600_000

/** The interval at which the time until which events are kept is extended, in ms. */
const extendMs = 3_600_000

/**
 * How much later than its time an event may appear, in ms: another instance writes the time before it commits. Events of this
 * time are read again, and each stream remembers those that it has sent.
 */
const overlapMs = 10_000

const pageRows = 200

/** A client that receives events. */
export interface EventListener {
  readonly userId: string
  /** @returns false when the client does not keep up: the stream ends */
  readonly send: (event: EventRecord) => boolean
  readonly heartbeat: () => void
  /** Whether the session or token of the client is still valid. */
  readonly isValid: () => Promise<boolean>
  readonly end: () => void
}

export interface EventStreams {
  /**
   * Sends the events since a key, and all later ones until the stream is closed. An event of the seconds before the key may be
   * sent again, with the same id.
   * @param after the last event that the client knows; without it, only later events are sent
   * @returns closes the stream
   * @throws ServiceError `too_many_connections`
   */
  readonly open: (listener: EventListener, after: EventKey | null) => Promise<() => void>
  /** The number of open streams. */
  readonly count: () => number
  /** Ends all streams. */
  readonly close: () => void
}

interface Stream extends EventListener {
  /** Events since this time in ms are sent. */
  since: number
  /** The ids of sent events, with their times. */
  readonly sent: Map<string, number>
}

export interface EventStreamsOptions {
  readonly store: Pick<MetadataStore, 'events' | 'notificationSettings'>
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

/** Streams of events. All instances write events to the database, which each reads for the users who listen to it. */
export function eventStreams({ store, clock, log }: EventStreamsOptions): EventStreams {
  const streams = new Set<Stream>()
  const extended = new Map<string, number>()
  let stopTimers: (() => void) | undefined
  let polling: Promise<void> | undefined
  let checking: Promise<void> | undefined

  const ofUser = (userId: string) => [...streams].filter((stream) => stream.userId === userId)
  const remove = (stream: Stream) => {
    streams.delete(stream)
    if (streams.size > 0) return
    stopTimers?.()
    stopTimers = undefined
  }
  const end = (stream: Stream) => {
    remove(stream)
    stream.end()
  }

  const keepEvents = async (userId: string) => {
    const now = clock.now()
    if (now - (extended.get(userId) ?? 0) < extendMs) return
    extended.set(userId, now)
    await store.notificationSettings.change(userId, { listeningUntil: now + keptMs })
  }

  /** Sends a user's events to the user's streams. */
  const deliver = async (userId: string) => {
    const now = clock.now()
    const since = Math.min(...ofUser(userId).map((stream) => stream.since)) - overlapMs
    for (let after: EventKey | undefined; ;) {
      const rows = await store.events.since(userId, since, pageRows, after)
      for (const stream of ofUser(userId)) for (const row of rows) sendOnce(stream, row)
      after = rows.at(-1)
      if (rows.length < pageRows) break
    }
    for (const stream of ofUser(userId)) {
      stream.since = Math.max(stream.since, now)
      for (const [id, time] of stream.sent) if (time < stream.since - 2 * overlapMs) stream.sent.delete(id)
    }
  }
  const sendOnce = (stream: Stream, row: EventRecord) => {
    if (stream.sent.has(row.id) || row.createdAt < stream.since - overlapMs) return
    stream.sent.set(row.id, row.createdAt)
    if (!stream.send(row)) end(stream)
  }

  const pollAll = async () => {
    try {
      const userIds = [...new Set([...streams].map(({ userId }) => userId))]
      if (userIds.length === 0) return
      const since = Math.min(...[...streams].map((stream) => stream.since)) - overlapMs
      for (const userId of await store.events.usersSince(userIds, since)) await deliver(userId)
    } catch (error) {
      log.warn({ err: error }, 'events could not be read, retrying')
    } finally {
      polling = undefined
    }
  }
  const checkAll = async () => {
    for (const stream of streams) {
      const isValid = await stream.isValid().catch(() => true)
      if (!isValid) end(stream)
      else stream.heartbeat()
    }
    for (const { userId } of streams)
      await keepEvents(userId).catch((error: unknown) => {
        extended.delete(userId)
        log.warn({ err: error }, 'events are not kept for a stream, retrying')
      })
    for (const userId of extended.keys()) if (ofUser(userId).length === 0) extended.delete(userId)
    checking = undefined
  }
  const startTimers = () => {
    const stops = [
      clock.every(pollMs, () => {
        polling ??= pollAll()
      }),
      clock.every(heartbeatMs, () => {
        checking ??= checkAll()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }

  return {
    async open(listener, after) {
      if (ofUser(listener.userId).length >= maxStreams.ofUser || streams.size >= maxStreams.ofAll)
        throw tooManyStreams()
      const now = clock.now()
      // Without a key, events of the time before are none of this stream.
      const stream: Stream = { ...listener, since: after?.createdAt ?? now + overlapMs, sent: new Map() }
      if (after !== null) stream.sent.set(after.id, after.createdAt)
      streams.add(stream)
      stopTimers ??= startTimers()
      try {
        await keepEvents(listener.userId)
        if (after !== null) await deliver(listener.userId)
      } catch (error) {
        extended.delete(listener.userId)
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
