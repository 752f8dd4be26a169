import type { Service } from '../service.ts'
import {
  endVerification,
  lastVerification,
  takeVerification,
  type VerificationState,
} from './last-verification.ts'
import { totalOf, verify } from './verify.ts'

/** Between two looks at whether a verification is due, here or anywhere. */
const lookMs = 5 * 60_000

/** Findings that the log names. */
const logged = 20

export interface VerificationWatch {
  /** What is known after each look, whichever instance found it. */
  readonly known: (state: VerificationState) => void
  readonly ended: (result: 'done' | 'failed') => void
}

type Parts = Parameters<typeof verify>[0] & Pick<Service, 'store' | 'config'>

/**
 * Verifies again and again, on one instance at a time, and repairs nothing: the log and the metrics say what was found.
 * @returns stops; resolves when the verification that is under way has ended
 */
export function scheduleVerification(parts: Parts, watch?: VerificationWatch): () => Promise<void> {
  const { store, clock, log, instance, config } = parts
  const interval = config.verifyInterval * 1000
  if (interval === 0) return () => Promise.resolve()
  const end = new AbortController()
  let running: Promise<void> | undefined

  const look = async () => {
    watch?.known(await lastVerification(store))
    if (!(await takeVerification(store, { instance, now: clock.now(), interval }))) return
    const left = await run()
    await endVerification(store, { instance, now: clock.now(), left })
    watch?.ended(left === null ? 'failed' : 'done')
    watch?.known(await lastVerification(store))
  }
  const run = async () => {
    try {
      const report = await verify(parts, { hashes: false, limit: logged, signal: end.signal })
      const { files, stored, left, findings } = report
      if (totalOf(left) === 0) log.info({ files, stored }, 'verification found no differences')
      else log.error({ files, stored, found: left, findings }, 'verification found differences')
      return left
    } catch (error) {
      if (!end.signal.aborted) log.error({ err: error }, 'verification failed, it is tried again')
      return null
    }
  }
  const stop = clock.every(lookMs, () => {
    running ??= look()
      .catch((error: unknown) => {
        log.error({ err: error }, 'verification failed, it is tried again')
      })
      .finally(() => {
        running = undefined
      })
  })
  return async () => {
    stop()
    end.abort()
    await running
  }
}
