import { StoreUnavailableError, type DataBackend } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'

/**
 * The maximum length in bytes of a request that fails early in a store outage. Larger uploads, and those of unknown length,
 * wait for the store's retries.
 */
const maxWatchedBytes = 16 * 1024 * 1024

/**
 * The time between the start of an upload and the first check of the store, in milliseconds. The three times together
 * are less than five seconds.
 */
const firstCheckMs = 2_000
/** The interval between two checks. A store that fails both is unavailable. */
const recheckMs = 1_300
const responseTimeoutMs = 1_200

/** The store does not respond during an upload. */
export class DataStoreOutageError extends StoreUnavailableError {
  /** Resolves when no more bytes of the file can reach the store. */
  readonly settled: Promise<void>

  constructor(settled: Promise<void>) {
    super('the store does not respond')
    this.settled = settled
  }
}

/** Detects an outage of the store earlier than uploads do, which retry their requests for a long time. */
export interface DataStoreOutageWatch {
  /**
   * Runs an upload to the store.
   * @param length announced bytes of the request; null when unknown
   * @throws DataStoreOutageError, and the errors of the work
   */
  during(
    length: number | null,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>
}

/** @param clock for durations */
export function dataStoreOutageWatch(
  { ping, open }: Pick<DataBackend, 'ping' | 'open'>,
  clock: Clock,
): DataStoreOutageWatch {
  // A file system reports errors without delay.
  if (ping === undefined || open !== undefined) return { during: (_length, signal, work) => work(signal) }
  let checking: Promise<boolean> | undefined

  const check = async () => {
    const late = new AbortController()
    const timer = pause(clock, responseTimeoutMs)
    void timer.over.then(() => {
      late.abort(new Error('no response in time'))
    })
    try {
      await Promise.race([ping(late.signal), rejection(late.signal)])
      return true
    } catch {
      return false
    } finally {
      timer.stop()
    }
  }
  /** One check at a time, shared by all uploads. */
  const isReachable = () =>
    (checking ??= check().finally(() => {
      checking = undefined
    }))

  /** Resolves when the store is unavailable, or when the upload ends. */
  const unavailable = async (ended: AbortSignal): Promise<void> => {
    const isOver = () => ended.aborted
    for (;;) {
      await pause(clock, firstCheckMs, ended).over
      if (isOver()) return
      const recheck = pause(clock, recheckMs, ended)
      if (await isReachable()) recheck.stop()
      else {
        await recheck.over
        if (isOver() || !(await isReachable())) return
      }
    }
  }

  return {
    async during(length, signal, work) {
      if (length === null || length > maxWatchedBytes) {
        await work(signal)
        return
      }
      const ended = new AbortController()
      const cut = new AbortController()
      const running = work(AbortSignal.any([signal, cut.signal])).finally(() => {
        ended.abort()
      })
      const settled = running.catch(() => undefined)
      const outage = unavailable(ended.signal).then(() => {
        if (ended.signal.aborted) return
        const error = new DataStoreOutageError(settled)
        cut.abort(error)
        throw error
      })
      await Promise.race([running, outage.then(() => running)])
    },
  }
}

/** A timer that can be stopped. `over` resolves in both cases. */
function pause(clock: Clock, ms: number, ended?: AbortSignal) {
  const over = Promise.withResolvers<undefined>()
  const stop = clock.every(ms, () => {
    end()
  })
  const end = () => {
    stop()
    ended?.removeEventListener('abort', end)
    over.resolve(undefined)
  }
  ended?.addEventListener('abort', end)
  if (ended?.aborted === true) end()
  return { over: over.promise, stop: end }
}

const rejection = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })
