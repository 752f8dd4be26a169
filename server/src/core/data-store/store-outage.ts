import { StoreUnavailableError, type DataBackend } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'

/** Bytes of an upload whose sender is not kept waiting for a store that is away. Larger ones are worth more patience. */
const mostBytes = 16 * 1024 * 1024

/** How long an upload runs before the store is asked. Milliseconds, as below: all together less than five seconds. */
const quietMs = 2_000
/** Between two questions: a store that is not there at both is away. */
const againMs = 1_300
const answerMs = 1_200

/** The store does not answer while a file is brought to it. */
export class StoreOutageError extends StoreUnavailableError {
  /** Resolves when nothing of the file is on its way to the store any more. */
  readonly settled: Promise<void>

  constructor(settled: Promise<void>) {
    super('the store does not answer')
    this.settled = settled
  }
}

/** Notices that the store is away sooner than those who bring it files, who try again for long. */
export interface StoreOutageWatch {
  /**
   * Does what brings a file to the store.
   * @param size bytes that are announced; 0 when unknown
   * @throws StoreAwayError, and what the work throws
   */
  during(size: number, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void>
}

/** @param clock for durations */
export function storeOutageWatch(
  { ping, open }: Pick<DataBackend, 'ping' | 'open'>,
  clock: Clock,
): StoreOutageWatch {
  // A file system says so itself.
  if (ping === undefined || open !== undefined) return { during: (_size, signal, work) => work(signal) }
  let asking: Promise<boolean> | undefined

  const ask = async () => {
    const late = new AbortController()
    const timer = pause(clock, answerMs)
    void timer.over.then(() => {
      late.abort(new Error('no answer in time'))
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
  /** One question at a time, for all who want to know. */
  const answers = () =>
    (asking ??= ask().finally(() => {
      asking = undefined
    }))

  /** Resolves when the store is away, or with the end. */
  const away = async (ended: AbortSignal): Promise<void> => {
    const isOver = () => ended.aborted
    for (;;) {
      await pause(clock, quietMs, ended).over
      if (isOver()) return
      const again = pause(clock, againMs, ended)
      if (await answers()) again.stop()
      else {
        await again.over
        if (isOver() || !(await answers())) return
      }
    }
  }

  return {
    async during(size, signal, work) {
      if (size === 0 || size > mostBytes) {
        await work(signal)
        return
      }
      const ended = new AbortController()
      const cut = new AbortController()
      const running = work(AbortSignal.any([signal, cut.signal])).finally(() => {
        ended.abort()
      })
      const settled = running.catch(() => undefined)
      const noticed = away(ended.signal).then(() => {
        if (ended.signal.aborted) return
        const error = new StoreOutageError(settled)
        cut.abort(error)
        throw error
      })
      // Where the work ends first, nobody waits for this.
      noticed.catch(() => undefined)
      await Promise.race([running, noticed.then(() => running)])
    },
  }
}

/** Time that passes, unless it is stopped before. Both ends resolve `over`. */
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
