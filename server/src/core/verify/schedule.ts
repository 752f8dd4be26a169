import type { Service } from '../service.ts'
import {
  endVerification,
  lastVerification,
  beginVerification,
  type VerificationState,
} from './last-verification.ts'
import { totalOf, verify } from './verify.ts'

/** The interval between two checks whether a verification is due on any instance. */
const checkMs = 5 * 60_000

/** The maximum number of findings in the log. */
const maxLogged = 20

export interface VerificationWatch {
  /** Called with the state after each check, from any instance. */
  readonly known: (state: VerificationState) => void
  readonly ended: (result: 'done' | 'failed') => void
}

type Verifier = Parameters<typeof verify>[0] & Pick<Service, 'store' | 'config'>

/**
 * Runs verifications at an interval, on one instance at a time, without repairs: log and metrics report the
 * findings.
 * @returns a function that stops the schedule, and resolves when a running verification has ended
 */
export function scheduleVerification(service: Verifier, watch?: VerificationWatch): () => Promise<void> {
  const { store, clock, log, instance, config } = service
  const interval = config.verifyInterval * 1000
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  // Without a schedule as well, because a command also records its findings.
  const reportState = async () => watch?.known(await lastVerification(store))
  const check = async () => {
    await reportState()
    if (interval === 0 || !(await beginVerification(store, { instance, now: clock.now(), interval }))) return
    const left = await run()
    await endVerification(store, { instance, now: clock.now(), left })
    // Before the counter of ended verifications, which an operator reads together with the findings.
    await reportState()
    watch?.ended(left === null ? 'failed' : 'done')
  }
  const run = async () => {
    try {
      const report = await verify(service, { hashes: false, limit: maxLogged, signal: stopping.signal })
      const { files, stored, left, findings } = report
      if (totalOf(left) === 0) log.info({ files, stored }, 'verification found no differences')
      else log.error({ files, stored, found: left, findings }, 'verification found differences')
      return left
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'verification failed; it will be retried')
      return null
    }
  }
  // The findings must not look resolved after a restart.
  const started = reportState().catch((error: unknown) => {
    log.error({ err: error }, 'the findings of the last verification could not be read')
  })
  const stop = clock.every(checkMs, () => {
    running ??= check()
      .catch((error: unknown) => {
        log.error({ err: error }, 'verification failed; it will be retried')
      })
      .finally(() => {
        running = undefined
      })
  })
  return async () => {
    stop()
    stopping.abort()
    await Promise.all([started, running])
  }
}
