import type { DataBackend } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { Logger } from 'pino'

export interface Readiness {
  /** Whether the database and the data store respond and the server is not stopping. Never rejects. */
  isReady(): Promise<boolean>
  /**
   * The response for a monitor: `ok`, followed by a line for each restriction; null when the server is not ready.
   * Never rejects.
   */
  report(): Promise<string | null>
  /** What does not work although the server is ready. Never rejects. */
  restrictions(): Promise<readonly Restriction[]>
  /** The server is about to stop: it is no longer ready, while running requests may finish. */
  stop(): void
}

/** How long a result is reused. Milliseconds. */
const freshMs = 1_000

/** The timeout of a check, in milliseconds: with a slower store, requests of clients fail. */
const timeoutMs = 3_000

interface ReadinessOptions {
  readonly store: Pick<MetadataStore, 'ping'>
  readonly data: Pick<DataBackend, 'ping'>
  readonly clock: Clock
  readonly log: Logger
  /** Checks the current restrictions. Never rejects. */
  readonly restrictions: () => Promise<readonly Restriction[]>
}

/** A function that does not work while the server is ready. */
export interface Restriction {
  readonly code: 'clock_wrong' | 'database_full' | 'database_read_only' | 'no_space' | 'program_files_missing'
  readonly message: string
}

/**
 * Checks the stores that the service depends on. One check runs at a time, and a hanging check is not repeated:
 * requests must not accumulate at a store that does not respond.
 */
export function readiness({ store, data, clock, log, restrictions }: ReadinessOptions): Readiness {
  let stopping = false
  let ready: boolean | undefined
  let checkedAt = -Infinity
  let running: Promise<boolean> | undefined

  // Only changes are logged.
  const record = (found: boolean, why?: unknown) => {
    if (!found && ready !== false) log.error({ err: why }, 'not ready; requests will fail')
    if (found && ready === false) log.warn('ready again')
    ready = found
    checkedAt = clock.now()
    return found
  }
  const check = () => {
    const result = Promise.withResolvers<boolean>()
    const timeout = new AbortController()
    const stopTimer = clock.every(timeoutMs, () => {
      stopTimer()
      const reason = new Error(`no response within ${String(timeoutMs)} ms`)
      result.resolve(record(false, reason))
      timeout.abort(reason)
    })
    void Promise.allSettled([store.ping(), data.ping?.(timeout.signal)]).then((results) => {
      stopTimer()
      running = undefined
      const failed = results.find(({ status }) => status === 'rejected')
      result.resolve(failed?.status === 'rejected' ? record(false, failed.reason) : record(true))
    })
    return result.promise
  }

  const isReady = async () => {
    if (stopping) return false
    if (ready !== undefined && clock.now() - checkedAt < freshMs) return ready
    running ??= check()
    return (await running) && !stopping
  }
  return {
    isReady,
    async report() {
      if (!(await isReady())) return null
      return ['ok', ...(await restrictions()).map(({ code, message }) => `${code}: ${message}`)].join('\n')
    },
    restrictions,
    stop() {
      stopping = true
    },
  }
}
