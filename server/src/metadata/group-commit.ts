import { setImmediate } from 'node:timers'
import { CompiledQuery } from 'kysely'
import { execute, type Db } from './query/prepared.ts'
import type { DeferredTotals } from './stats/totals.ts'

/** Resolves when all commits survive a power cut (dialect.ts); absent if each commit waits for the disk. */
export type SyncCommits = (() => Promise<void>) | undefined

export interface TransactionOptions {
  /** False for changes without a meaning after a power cut, such as an upload lock: the caller does not wait for the disk. */
  readonly isDurable?: boolean
}

/** Runs work in a transaction. */
export type Transact = <Result>(
  work: (transaction: Db) => Promise<Result>,
  options?: TransactionOptions,
) => Promise<Result>

interface QueuedWork {
  /** Runs the work and stores its result. */
  readonly run: (transaction: Db) => Promise<void>
  /** Stores the failure of this work, when other work in the same transaction succeeds. */
  readonly failed: (error: unknown) => void
  readonly isDurable: boolean
  /** Passes the stored result to the caller, once the transaction is committed and durable. */
  readonly committed: () => void
  /** Rejects the call because the transaction failed. */
  readonly rolledBack: (error: unknown) => void
}

export interface GroupCommitOptions {
  readonly syncCommits?: SyncCommits
  readonly totals?: DeferredTotals
}

const [savepoint, rollback, release] = ['savepoint one', 'rollback to one', 'release one'].map((sql) =>
  CompiledQuery.raw(sql),
) as [CompiledQuery, CompiledQuery, CompiledQuery]

/**
 * Group commit for a database with one writer at a time. Calls within one iteration of the event loop, or during the sync
 * of the previous transaction, share one transaction, because its begin and commit cost as much as three statements.
 * Each call stays atomic and resolves only after the commit. If one of several calls fails, all run again, each within a
 * savepoint.
 */
export function groupCommit(db: Db, { syncCommits, totals }: GroupCommitOptions = {}): Transact {
  let queue: QueuedWork[] = []
  let isScheduled = false
  let syncing = 0

  /** @returns false when one of several works failed and the transaction was rolled back */
  const inOneTransaction = async (works: readonly QueuedWork[]): Promise<boolean> => {
    const done = { started: false, works: 0 }
    try {
      await db.transaction().execute(async (transaction) => {
        done.started = true
        for (const { run } of works) {
          await run(transaction)
          done.works += 1
        }
        await totals?.write(transaction)
      })
      return true
    } catch (error) {
      if (works.length > 1 && done.started && done.works < works.length) return false
      throw error
    }
  }
  const withSavepoints = (works: readonly QueuedWork[]) =>
    db.transaction().execute(async (transaction) => {
      for (const { run, failed } of works) {
        await execute(transaction, savepoint)
        try {
          await run(transaction)
          await totals?.write(transaction)
        } catch (error) {
          totals?.discard(transaction)
          await execute(transaction, rollback)
          failed(error)
        }
        await execute(transaction, release)
      }
    })
  const runAll = async () => {
    const works = queue
    queue = []
    isScheduled = false
    try {
      if (!(await inOneTransaction(works))) await withSavepoints(works)
      for (const { committed } of works.filter(({ isDurable }) => !isDurable)) committed()
      if (syncCommits !== undefined && works.some(({ isDurable }) => isDurable)) await sync(syncCommits)
    } catch (error) {
      for (const { rolledBack } of works) rolledBack(error)
      return
    }
    for (const { committed } of works.filter(({ isDurable }) => isDurable)) committed()
  }
  const sync = async (syncCommits: () => Promise<void>) => {
    syncing += 1
    try {
      await syncCommits()
    } finally {
      syncing -= 1
      schedule()
    }
  }
  const schedule = () => {
    if (isScheduled || queue.length === 0) return
    // A commit during a sync would have to wait for the next sync. Until then, more calls can join its transaction.
    if (syncing > 0 && queue.every(({ isDurable }) => isDurable)) return
    isScheduled = true
    setImmediate(() => void runAll())
  }
  return <Result>(
    work: (transaction: Db) => Promise<Result>,
    { isDurable = true }: TransactionOptions = {},
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let settle: () => void
    queue.push({
      isDurable,
      run: async (transaction) => {
        const result = await work(transaction)
        settle = () => {
          resolve(result)
        }
      },
      failed: (error) => {
        settle = () => {
          reject(error)
        }
      },
      committed: () => {
        settle()
      },
      rolledBack: reject,
    })
    schedule()
    return promise
  }
}
