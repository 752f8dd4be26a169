import type { Logger } from 'pino'
import { fileNotMissing, heldByOtherInstance, takenOver } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId, type Random } from '../../domain/ids.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import type { LockHolder } from '../../metadata/files/upload-locks.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { inAccountingTransaction, LostRaceError } from '../stats/usage-accounting.ts'
import { aliveSince } from '../cluster/heartbeat-timeout.ts'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { InFlightUploads } from '../uploads/receive/in-flight-uploads.ts'

interface UploadLockOptions {
  readonly store: MetadataStore
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly random: Random
  readonly instance: string
  readonly log: Logger
  readonly inFlight: InFlightUploads
}

/** A power cut ends all connections, so a lock need not survive it. */
const notDurable = { isDurable: false }

/** The interval between two checks of a lock that another instance holds. */
const pollMs = 200

/** The interval between two checks for connections that wait for the locks of this instance. */
const checkMs = 500

/** The number of checks for a lock of another instance, which may be dead. Together they take less than a second. */
const maxChecksElsewhere = 4

/** Limits the wait for a lock. */
export interface LockWait {
  /** Ends the wait: the client has disconnected. */
  readonly disconnected?: AbortSignal
}

/** The exclusive right of one connection to write a file. */
export interface UploadLock extends LockHolder {
  /** Aborted when a newer connection waits, or the file is gone: the holder records its progress and stops. */
  readonly signal: AbortSignal
  /** Aborted when the lock is lost, or the file is gone: later writes of this connection have no effect. */
  readonly lost: AbortSignal
}

/**
 * Locks for resumable files. One connection at a time writes a file, and the newest one wins, because an older one may be
 * broken without being closed. The newer one waits until the older one has recorded its progress.
 */
export interface UploadLocks {
  /**
   * Runs some work as the only writer of a file.
   * @throws the reason of `disconnected`; ServiceError `taken_over` when a newer connection came during the wait,
   * `file_not_missing` when the file is not being uploaded, `unavailable` when another instance has not released
   * the lock within a second: the client can repeat its request
   */
  readonly during: <Result>(
    file: FileKey,
    work: (lock: UploadLock) => Promise<Result>,
    wait?: LockWait,
  ) => Promise<Result>
  /**
   * Stops the holders of this instance when newer connections wait.
   * @returns a function that stops the checks
   */
  readonly watch: () => () => void
}

interface HeldLock {
  readonly holder: LockHolder
  readonly stop: AbortController
  readonly lose: AbortController
  readonly ended: Promise<void>
}

interface UnreleasedLock {
  readonly file: FileKey
  readonly holder: LockHolder
}

export function uploadLocks(options: UploadLockOptions): UploadLocks {
  const { store, clock, databaseClock, random, instance, log, inFlight } = options
  const held = new Map<string, HeldLock>()
  /** Locks whose release is not recorded yet, by the id of the holder: until then, no other connection can write. */
  const unreleased = new Map<string, UnreleasedLock>()

  /** @param now null: the lock of an instance that may be dead is not taken */
  const tryAcquire = (file: FileKey, holder: LockHolder, now: number | null) =>
    inAccountingTransaction(
      store,
      async ({ resumables }) => {
        if (!(await resumables.acquireLock(file, holder, aliveSince(now)))) throw new LostRaceError()
      },
      notDurable,
    )

  async function release(file: FileKey, holder: LockHolder): Promise<void> {
    try {
      await store.transaction(({ resumables }) => resumables.releaseLock(file, holder), notDurable)
      unreleased.delete(holder.id)
    } catch (error) {
      unreleased.set(holder.id, { file, holder })
      log.warn({ err: error, file: file.id }, 'the release of an upload lock could not be recorded yet')
    }
  }

  async function acquire(file: FileKey, holder: LockHolder, limit: LockWait): Promise<void> {
    try {
      if (!(await tryAcquire(file, holder, null))) await wait(file, holder, limit)
    } catch (error) {
      // The database may have granted the lock although no response arrived.
      await release(file, holder)
      throw error
    }
  }

  async function wait(file: FileKey, holder: LockHolder, { disconnected }: LockWait): Promise<void> {
    await store.resumables.requestLock(file.id, holder.id)
    for (let checks = 0; ; checks += 1) {
      const before = held.get(file.id)
      if (await tryAcquire(file, holder, await databaseClock.steadyTime())) return
      disconnected?.throwIfAborted()
      const row = await store.resumables.successorOf(file.id)
      if (row === undefined) throw fileNotMissing()
      if (row.successor !== holder.id) throw takenOver()
      // The holder may have ended since the last check.
      const here = held.get(file.id) ?? before
      here?.stop.abort(takenOver())
      if (here === undefined && checks >= maxChecksElsewhere) throw heldByOtherInstance()
      await (here?.ended ?? pause(clock))
    }
  }

  async function checkLocks(): Promise<void> {
    for (const { file, holder } of [...unreleased.values()]) await release(file, holder)
    const locks = [...held.values()]
    if (locks.length === 0) return
    const successors = await store.resumables.heldLocks(locks.map(({ holder }) => holder.id))
    for (const { holder, stop, lose } of locks) {
      const successor = successors.get(holder.id)
      if (successor !== null) stop.abort(takenOver())
      if (successor === undefined) lose.abort(takenOver())
    }
  }

  async function useLock<Result>(
    file: FileKey,
    holder: LockHolder,
    use: (lock: UploadLock) => Promise<Result>,
  ): Promise<Result> {
    const stop = new AbortController()
    const lose = new AbortController()
    const ended = Promise.withResolvers<undefined>()
    const lock = { holder, stop, lose, ended: ended.promise }
    held.set(file.id, lock)
    try {
      return await use({ ...holder, signal: stop.signal, lost: lose.signal })
    } finally {
      await release(file, holder)
      // The successor may begin as soon as the row is updated.
      if (held.get(file.id) === lock) held.delete(file.id)
      ended.resolve(undefined)
    }
  }

  return {
    during(file, use, limit = {}) {
      const holder = { id: randomId(random), instance }
      // Cleanup in this instance must not remove a file that is being written.
      return inFlight.during(file.id, async () => {
        await acquire(file, holder, limit)
        return useLock(file, holder, use)
      })
    },
    watch() {
      let checking = false
      return clock.every(checkMs, () => {
        if (checking) return
        checking = true
        checkLocks()
          .catch((error: unknown) => {
            log.warn({ err: error }, 'the upload locks could not be checked')
          })
          .finally(() => {
            checking = false
          })
      })
    },
  }
}

const pause = (clock: Clock) =>
  new Promise<void>((resolve) => {
    const stop = clock.every(pollMs, () => {
      stop()
      resolve()
    })
  })
