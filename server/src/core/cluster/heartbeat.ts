import pLimit from 'p-limit'
import { hasEnded, processIdentity } from '../../platform/process-identity.ts'
import type { Base, Metadata } from '../service.ts'
import { heartbeatTimeoutMs } from './heartbeat-timeout.ts'

const heartbeatMs = 30_000

/** The longest interval between two heartbeats of a healthy process. */
const maxPauseMs = 2 * heartbeatMs

export interface Heartbeat {
  /**
   * Whether instances without a heartbeat are dead. They may be alive if this instance recently missed heartbeats, too,
   * because the database was unavailable, perhaps for all of them.
   */
  canDeclareDead(): boolean
  /** Removes the heartbeat when this instance ends. */
  stop(): Promise<void>
}

/**
 * Writes heartbeats, which show other instances that this one is alive. Cleanup discards the unfinished uploads of an
 * instance without heartbeats. Crashed processes of this machine are removed at once, without their timeout.
 * @param url the address at which other instances reach this one; empty when they cannot
 */
export async function startHeartbeat(
  { store, clock, databaseClock, databaseSpace, instance, log }: Base & Metadata,
  url: string,
): Promise<Heartbeat> {
  const { durations } = databaseClock
  let last = durations.now()
  let unbrokenSince = last
  const identity = processIdentity()
  const writeHeartbeat = async () => {
    await databaseClock.measure()
    await store.instances.recordHeartbeat({ id: instance, url, process: identity, seenAt: clock.now() })
    databaseSpace.heartbeatWritten()
    // Measured after the write: a write that waited for the database is a gap, too.
    const now = durations.now()
    if (now - last > maxPauseMs) unbrokenSince = now
    last = now
  }
  // One at a time, so that an earlier write cannot overwrite a later one.
  const oneByOne = pLimit(1)
  for (const { id, process } of await store.instances.list())
    if (hasEnded(process)) await store.instances.remove(id)
  await writeHeartbeat()
  const stop = clock.every(heartbeatMs, () => {
    oneByOne(writeHeartbeat).catch((error: unknown) => {
      log.error({ err: error }, 'the heartbeat could not be written')
    })
  })
  return {
    canDeclareDead: () => {
      const now = durations.now()
      return now - last <= maxPauseMs && now - unbrokenSince >= heartbeatTimeoutMs
    },
    async stop() {
      stop()
      oneByOne.clearQueue()
      await oneByOne(() => store.instances.remove(instance)).catch((error: unknown) => {
        log.warn(
          { err: error },
          'could not report the shutdown; other instances notice the missing heartbeat',
        )
      })
    },
  }
}
