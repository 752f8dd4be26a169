import type { Logger } from 'pino'
import { fileNotMissing, lockedElsewhere, takenOver } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId, type Random } from '../../domain/ids.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import type { LockHolder } from '../../metadata/files/upload-locks.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { inAccountingTransaction, LostRaceError } from '../stats/usage-accounting.ts'
import { aliveSince } from '../cluster/heartbeat-timeout.ts'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { InFlightUploads } from '../uploads/in-flight-uploads.ts'

interface UploadLockOptions {
  readonly store: MetadataStore
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly random: Random
  readonly instance: string
  readonly log: Logger
  readonly inFlight: InFlightUploads
}

/** A power cut ends all writers, so a lock need not survive it. */
const notDurable = { isDurable: false }

/** The interval between two checks of a file that another process writes. */
const pollMs = 200

/** The interval between two checks for connections that wait for the locks of this process. */
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
  /** Aborted when a newer connection waits, or the file is gone: the writer records its progress and stops. */
  readonly signal: AbortSignal
  /** Aborted when the lock is lost, or the file is gone: later writes of this writer have no effect. */
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
   * Ends the writers of this process when newer connections wait.
   * @returns a function that stops the checks
   */
  readonly watch: () => () => void
}

interface HeldLock {
  readonly writer: LockHolder
  readonly stop: AbortController
  readonly lose: AbortController
  readonly ended: Promise<void>
}

interface UnreleasedLock {
  readonly file: FileKey
  readonly writer: LockHolder
}

export function uploadLocks(options: UploadLockOptions): UploadLocks {
  const { store, clock, databaseClock, random, instance, log, inFlight } = options
  const held = new Map<string, HeldLock>()
  /** Locks whose release is not recorded yet, by writer: until then, no other connection can write. */
  const unreleased = new Map<string, UnreleasedLock>()

  /** @param now null: the lock of a process that may be dead is not taken */
  const take = (file: FileKey, writer: LockHolder, now: number | null) =>
    inAccountingTransaction(
      store,
      async ({ resumables }) => {
        if (!(await resumables.acquireLock(file, writer, aliveSince(now)))) throw new LostRaceError()
      },
      notDurable,
    )

  async function end(file: FileKey, writer: LockHolder): Promise<void> {
    try {
      await store.transaction(({ resumables }) => resumables.releaseLock(file, writer), notDurable)
      unreleased.delete(writer.id)
    } catch (error) {
      unreleased.set(writer.id, { file, writer })
      log.warn({ err: error, file: file.id }, 'the release of an upload lock could not be recorded yet')
    }
  }

  async function begin(file: FileKey, writer: LockHolder, limit: LockWait): Promise<void> {
    try {
      if (!(await take(file, writer, null))) await wait(file, writer, limit)
    } catch (error) {
      // The database may have granted the lock although no response arrived.
      await end(file, writer)
      throw error
    }
  }

  async function wait(file: FileKey, writer: LockHolder, { disconnected }: LockWait): Promise<void> {
    await store.resumables.requestLock(file.id, writer.id)
    for (let checks = 0; ; checks += 1) {
      const before = held.get(file.id)
      if (await take(file, writer, await databaseClock.steadyTime())) return
      disconnected?.throwIfAborted()
      const row = await store.resumables.contender(file.id)
      if (row === undefined) throw fileNotMissing()
      if (row.successor !== writer.id) throw takenOver()
      // The writer may have ended since the last check.
      const here = held.get(file.id) ?? before
      here?.stop.abort(takenOver())
      if (here === undefined && checks >= maxChecksElsewhere) throw lockedElsewhere()
      await (here?.ended ?? pause(clock))
    }
  }

  async function releaseAndCheck(): Promise<void> {
    for (const { file, writer } of [...unreleased.values()]) await end(file, writer)
    const locks = [...held.values()]
    if (locks.length === 0) return
    const successors = await store.resumables.heldLocks(locks.map(({ writer }) => writer.id))
    for (const { writer, stop, lose } of locks) {
      const successor = successors.get(writer.id)
      if (successor !== null) stop.abort(takenOver())
      if (successor === undefined) lose.abort(takenOver())
    }
  }

  async function work<Result>(
    file: FileKey,
    writer: LockHolder,
    use: (lock: UploadLock) => Promise<Result>,
  ): Promise<Result> {
    const stop = new AbortController()
    const lose = new AbortController()
    const ended = Promise.withResolvers<undefined>()
    const lock = { writer, stop, lose, ended: ended.promise }
    held.set(file.id, lock)
    try {
      return await use({ ...writer, signal: stop.signal, lost: lose.signal })
    } finally {
      await end(file, writer)
      // The next writer may begin as soon as the row is updated.
      if (held.get(file.id) === lock) held.delete(file.id)
      ended.resolve(undefined)
    }
  }

  return {
    during(file, use, limit = {}) {
      const writer = { id: randomId(random), instance }
      // Cleanup in this process must not remove a file that is being written.
      return inFlight.during(file.id, async () => {
        await begin(file, writer, limit)
        return work(file, writer, use)
      })
    },
    watch() {
      let checking = false
      return clock.every(checkMs, () => {
        if (checking) return
        checking = true
        releaseAndCheck()
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
