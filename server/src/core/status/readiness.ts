import type { DataBackend } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import type { Logger } from 'pino'

export interface Readiness {
  /** Whether the database and the data store answer, and nothing said that the server stops. Never rejects. */
  isReady(): Promise<boolean>
  /**
   * What a monitor is answered: `ok`, followed by a line for each thing that does not work although this server is of use;
   * null where it is not ready. Never rejects.
   */
  report(): Promise<string | null>
  /** The server is about to stop: from now on it is not ready, while what runs may finish. */
  stop(): void
}

/** How long an answer is used again. Milliseconds, as below. */
const freshMs = 1_000

/** A store that takes longer to answer is no use to a client. */
const timeoutMs = 3_000

interface Parts {
  readonly store: Pick<MetadataStore, 'ping'>
  readonly data: Pick<DataBackend, 'ping'>
  readonly clock: Clock
  readonly log: Logger
  /** Those that there are now, looked at whenever somebody asks. Never rejects. */
  readonly impairments: () => Promise<readonly Impairment[]>
}

/** What a server cannot do while all else goes on. */
export interface Impairment {
  readonly code: 'clock_wrong' | 'database_full' | 'no_space'
  readonly message: string
}

/**
 * Looks at the parts that the service cannot work without. There is one look at a time, whoever asks, and a store that
 * does not answer at all is asked no second time before it has answered the first: questions must not pile up there.
 */
export function readiness({ store, data, clock, log, impairments }: Parts): Readiness {
  let stopping = false
  let ready: boolean | undefined
  let lookedAt = -Infinity
  let running: Promise<boolean> | undefined

  // Who watches the log is told of changes, not of every look.
  const settle = (found: boolean, why?: unknown) => {
    if (!found && ready !== false) log.error({ err: why }, 'not ready, requests will fail')
    if (found && ready === false) log.warn('ready again')
    ready = found
    lookedAt = clock.now()
    return found
  }
  const look = () => {
    const answer = Promise.withResolvers<boolean>()
    const late = new AbortController()
    const forget = clock.every(timeoutMs, () => {
      forget()
      const reason = new Error(`no answer within ${String(timeoutMs)} ms`)
      answer.resolve(settle(false, reason))
      late.abort(reason)
    })
    void Promise.allSettled([store.ping(), data.ping?.(late.signal)]).then((answers) => {
      forget()
      running = undefined
      const failed = answers.find(({ status }) => status === 'rejected')
      answer.resolve(failed?.status === 'rejected' ? settle(false, failed.reason) : settle(true))
    })
    return answer.promise
  }

  const isReady = async () => {
    if (stopping) return false
    if (ready !== undefined && clock.now() - lookedAt < freshMs) return ready
    running ??= look()
    return (await running) && !stopping
  }
  return {
    isReady,
    async report() {
      if (!(await isReady())) return null
      return ['ok', ...(await impairments()).map(({ code, message }) => `${code}: ${message}`)].join('\n')
    },
    stop() {
      stopping = true
    },
  }
}
