import { setImmediate } from 'node:timers'
import { CompiledQuery } from 'kysely'
import { execute, type Db } from './query/prepared.ts'
import type { TransactionSums } from './stats/totals.ts'

/** Resolves when all that is committed survives a power cut (dialect.ts); absent where a commit does not return before. */
export type Durable = (() => Promise<void>) | undefined

export interface TransactionOptions {
  /** False for what a power cut may undo, as it is void after one, such as whose turn it is: nobody waits for the disk. */
  readonly isDurable?: boolean
}

/** Runs some work in a transaction. */
export type Transact = <Result>(
  work: (transaction: Db) => Promise<Result>,
  options?: TransactionOptions,
) => Promise<Result>

interface Wanted {
  /** Does the work, and remembers its result. */
  readonly run: (transaction: Db) => Promise<void>
  /** Remembers that the work failed, while others of its transaction did not. */
  readonly failed: (error: unknown) => void
  readonly isDurable: boolean
  /** The transaction is committed, and survives a power cut where it is durable: the caller hears how the work ended. */
  readonly kept: () => void
  readonly lost: (error: unknown) => void
}

export interface GroupCommitOptions {
  readonly durable?: Durable
  readonly sums?: TransactionSums
}

const [begin, undo, end] = ['savepoint one', 'rollback to one', 'release one'].map((sql) =>
  CompiledQuery.raw(sql),
) as [CompiledQuery, CompiledQuery, CompiledQuery]

/**
 * For a database that lets one writer in at a time: what is wanted within one turn of the event loop, or while the sync of
 * the transaction before runs, becomes one transaction, since to begin and to commit one costs as much as three statements.
 * Each work still happens whole or not at all, and nobody hears of it before it is committed. Where one of several works
 * fails, all are done anew, each with a savepoint of its own.
 */
export function groupCommit(db: Db, { durable, sums }: GroupCommitOptions = {}): Transact {
  let waiting: Wanted[] = []
  let isScheduled = false
  let syncing = 0

  /** @returns false when a work has failed, and with it all of them */
  const together = async (works: readonly Wanted[]): Promise<boolean> => {
    const done = { begun: false, works: 0 }
    try {
      await db.transaction().execute(async (transaction) => {
        done.begun = true
        for (const { run } of works) {
          await run(transaction)
          done.works += 1
        }
        await sums?.write(transaction)
      })
      return true
    } catch (error) {
      if (works.length > 1 && done.begun && done.works < works.length) return false
      throw error
    }
  }
  const oneByOne = (works: readonly Wanted[]) =>
    db.transaction().execute(async (transaction) => {
      for (const { run, failed } of works) {
        await execute(transaction, begin)
        try {
          await run(transaction)
          await sums?.write(transaction)
        } catch (error) {
          sums?.drop(transaction)
          await execute(transaction, undo)
          failed(error)
        }
        await execute(transaction, end)
      }
    })
  const runAll = async () => {
    const works = waiting
    waiting = []
    isScheduled = false
    try {
      if (!(await together(works))) await oneByOne(works)
      for (const { kept } of works.filter(({ isDurable }) => !isDurable)) kept()
      if (durable !== undefined && works.some(({ isDurable }) => isDurable)) await sync(durable)
    } catch (error) {
      for (const { lost } of works) lost(error)
      return
    }
    for (const { kept } of works.filter(({ isDurable }) => isDurable)) kept()
  }
  const sync = async (durable: () => Promise<void>) => {
    syncing += 1
    try {
      await durable()
    } finally {
      syncing -= 1
      schedule()
    }
  }
  const schedule = () => {
    if (isScheduled || waiting.length === 0) return
    // What is committed during a sync would wait for the next one anyway: until then, more of it comes together.
    if (syncing > 0 && waiting.every(({ isDurable }) => isDurable)) return
    isScheduled = true
    setImmediate(() => void runAll())
  }
  return <Result>(
    work: (transaction: Db) => Promise<Result>,
    { isDurable = true }: TransactionOptions = {},
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let tell: () => void
    waiting.push({
      isDurable,
      run: async (transaction) => {
        const result = await work(transaction)
        tell = () => {
          resolve(result)
        }
      },
      failed: (error) => {
        tell = () => {
          reject(error)
        }
      },
      kept: () => {
        tell()
      },
      lost: reject,
    })
    schedule()
    return promise
  }
}
