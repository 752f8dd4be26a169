import pLimit from 'p-limit'
import { hasEnded, processIdentity } from '../../platform/process-identity.ts'
import type { Base, Metadata } from '../service.ts'
import { heartbeatTimeoutMs } from './heartbeat-timeout.ts'

const signMs = 30_000

/** Between two signs of life of a process that has nothing in its way. */
const longestPauseMs = 2 * signMs

export interface Heartbeat {
  /**
   * Whether others that are silent are dead: not when this process was silent itself not long ago. Then the database
   * was away, perhaps for all of them.
   */
  canDeclareDead(): boolean
  /** Gives no more of them: this process ends. */
  forget(): Promise<void>
}

/**
 * Tells the others on the same database that this process lives.
 * A process without signs of life loses what it was receiving to the next cleaning. Those that ended on this machine
 * without a word are forgotten at once: nobody has to wait for their silence after a crash.
 * @param url where the others reach this process; empty when they cannot
 */
export async function startHeartbeat(
  { store, clock, databaseClock, databaseSpace, instance, log }: Base & Metadata,
  url: string,
): Promise<Heartbeat> {
  const { durations } = databaseClock
  let last = durations.now()
  let unbrokenSince = last
  const identity = processIdentity()
  const sign = async () => {
    await databaseClock.measure()
    await databaseSpace.watch(
      store.instances.seen({ id: instance, url, process: identity, seenAt: clock.now() }),
    )
    databaseSpace.written()
    // By now: a sign that had to wait for the database is a silence, too.
    const now = durations.now()
    if (now - last > longestPauseMs) unbrokenSince = now
    last = now
  }
  // One after the other, so that none is overwritten by an earlier one.
  const oneByOne = pLimit(1)
  for (const { id, process } of await store.instances.list())
    if (hasEnded(process)) await store.instances.forget(id)
  await sign()
  const stop = clock.every(signMs, () => {
    oneByOne(sign).catch((error: unknown) => {
      log.error({ err: error }, 'the sign of life could not be written')
    })
  })
  return {
    canDeclareDead: () => {
      const now = durations.now()
      return now - last <= longestPauseMs && now - unbrokenSince >= heartbeatTimeoutMs
    },
    async forget() {
      stop()
      oneByOne.clearQueue()
      await oneByOne(() => store.instances.forget(instance)).catch((error: unknown) => {
        log.warn(
          { err: error },
          'could not report the shutdown; other instances notice the missing heartbeat',
        )
      })
    },
  }
}
