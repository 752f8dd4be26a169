import type { Logger } from 'pino'
import { fileNotMissing, heldElsewhere, takenOver } from '../../domain/errors.ts'
import type { Clock } from '../../domain/clock.ts'
import { randomId, type Random } from '../../domain/ids.ts'
import type { FileKey } from '../../metadata/files/file-key.ts'
import type { Writer } from '../../metadata/files/resumables.ts'
import type { MetadataStore } from '../../metadata/store.ts'
import { inAccountingTransaction, LostRaceError } from '../stats/usage-accounting.ts'
import { aliveSince } from '../cluster/heartbeat-timeout.ts'
import type { DatabaseClock } from '../cluster/database-clock.ts'
import type { InFlightUploads } from '../uploads/in-flight-uploads.ts'

interface Parts {
  readonly store: MetadataStore
  readonly clock: Clock
  readonly databaseClock: DatabaseClock
  readonly random: Random
  readonly instance: string
  readonly log: Logger
  readonly receptions: InFlightUploads
}

/** No writer outlives a power cut. */
const untilPowerCut = { isDurable: false }

/** Between two looks at a file that another process is writing. */
const waitMs = 200

/** Between two looks at who waits for the files that are written here. */
const lookMs = 500

/** Looks at a file of another instance, which may be dead: less than a second, and time for one that lives. */
const looksElsewhere = 4

/** How long a turn is waited for. */
export interface LockWait {
  /** Ends it: the client is not there any more. */
  readonly gone?: AbortSignal
}

/** A connection's time as the only one that writes a file. */
export interface UploadLock extends Writer {
  /** Aborted when a newer connection waits, or the file is gone: what has come is written down, and no more is taken. */
  readonly signal: AbortSignal
  /** Aborted when the file is somebody else's by now, or gone: nothing that this writer still does counts. */
  readonly lost: AbortSignal
}

/**
 * Who may write a file that comes in pieces: one connection at a time, and the newest of them, as the older one may be
 * dead without knowing. The newer one waits until the older has written down what it got.
 */
export interface UploadLocks {
  /**
   * Does some work as the only writer of a file.
   * @throws the reason of `gone`; ServiceError `taken_over` when a newer one came while this one waited, `file_not_missing` when the file is
   * not on its way, or any more, `unavailable` when another instance has not let go within a second: the client can repeat its request
   */
  readonly during: <Result>(
    file: FileKey,
    work: (turn: UploadLock) => Promise<Result>,
    waiting?: LockWait,
  ) => Promise<Result>
  /** Cuts the writers of this process that others wait for. @returns stops looking */
  readonly watch: () => () => void
}

interface Running {
  readonly writer: Writer
  readonly stop: AbortController
  readonly lose: AbortController
  readonly ended: Promise<void>
}

interface Unreleased {
  readonly file: FileKey
  readonly writer: Writer
}

export function uploadLocks(parts: Parts): UploadLocks {
  const { store, clock, databaseClock, random, instance, log, receptions } = parts
  const running = new Map<string, Running>()
  /** Turns whose end could not be written down yet, by their writers: nobody else can write until it is. */
  const unended = new Map<string, Unreleased>()

  /** @param judgement null: from no process that may be dead */
  const take = (file: FileKey, writer: Writer, judgement: number | null) =>
    inAccountingTransaction(
      store,
      async ({ resumables }) => {
        if (!(await resumables.takeTurn(file, writer, aliveSince(judgement)))) throw new LostRaceError()
      },
      untilPowerCut,
    )

  async function end(file: FileKey, writer: Writer): Promise<void> {
    try {
      await store.transaction(({ resumables }) => resumables.endTurn(file, writer), untilPowerCut)
      unended.delete(writer.id)
    } catch (error) {
      unended.set(writer.id, { file, writer })
      log.warn({ err: error, file: file.id }, 'the end of a writer could not be written down yet')
    }
  }

  async function begin(file: FileKey, writer: Writer, waiting: LockWait): Promise<void> {
    try {
      if (!(await take(file, writer, null))) await wait(file, writer, waiting)
    } catch (error) {
      // The turn may have been given by a database that could not say so.
      await end(file, writer)
      throw error
    }
  }

  async function wait(file: FileKey, writer: Writer, { gone }: LockWait): Promise<void> {
    await store.resumables.askForTurn(file.id, writer.id)
    for (let looks = 0; ; looks += 1) {
      const before = running.get(file.id)
      if (await take(file, writer, await databaseClock.judgement())) return
      gone?.throwIfAborted()
      const waiting = await store.resumables.successor(file.id)
      if (waiting === undefined) throw fileNotMissing()
      if (waiting.successor !== writer.id) throw takenOver()
      // One that has ended since is waited for no longer.
      const here = running.get(file.id) ?? before
      here?.stop.abort(takenOver())
      if (here === undefined && looks >= looksElsewhere) throw heldElsewhere()
      await (here?.ended ?? pause(clock))
    }
  }

  async function endWanted(): Promise<void> {
    for (const { file, writer } of [...unended.values()]) await end(file, writer)
    const turns = [...running.values()]
    if (turns.length === 0) return
    const writing = await store.resumables.stillWriting(turns.map(({ writer }) => writer.id))
    for (const { writer, stop, lose } of turns) {
      const successor = writing.get(writer.id)
      if (successor !== null) stop.abort(takenOver())
      if (successor === undefined) lose.abort(takenOver())
    }
  }

  async function work<Result>(
    file: FileKey,
    writer: Writer,
    use: (turn: UploadLock) => Promise<Result>,
  ): Promise<Result> {
    const stop = new AbortController()
    const lose = new AbortController()
    const ended = Promise.withResolvers<undefined>()
    const turn = { writer, stop, lose, ended: ended.promise }
    running.set(file.id, turn)
    try {
      return await use({ ...writer, signal: stop.signal, lost: lose.signal })
    } finally {
      await end(file, writer)
      // The next one may have begun as soon as the database knew.
      if (running.get(file.id) === turn) running.delete(file.id)
      ended.resolve(undefined)
    }
  }

  return {
    during(file, use, waiting = {}) {
      const writer = { id: randomId(random), instance }
      // A cleaning here does not remove what is still being written.
      return receptions.during(file.id, async () => {
        await begin(file, writer, waiting)
        return work(file, writer, use)
      })
    },
    watch() {
      let looking = false
      return clock.every(lookMs, () => {
        if (looking) return
        looking = true
        endWanted()
          .catch((error: unknown) => {
            log.warn({ err: error }, 'the writers of files could not be looked after')
          })
          .finally(() => {
            looking = false
          })
      })
    },
  }
}

const pause = (clock: Clock) =>
  new Promise<void>((resolve) => {
    const stop = clock.every(waitMs, () => {
      stop()
      resolve()
    })
  })
