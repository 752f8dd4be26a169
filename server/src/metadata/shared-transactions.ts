import { setImmediate } from 'node:timers'
import { CompiledQuery } from 'kysely'
import { execute, type Db } from './prepared.ts'

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
  /** Does the work, and remembers how it ended. @throws when nothing of the transaction can be kept */
  readonly run: (transaction: Db, isAlone: boolean) => Promise<void>
  readonly isDurable: boolean
  /** The transaction is committed, and survives a power cut where it is durable: the caller hears how the work ended. */
  readonly kept: () => void
  readonly lost: (error: unknown) => void
}

const [begin, undo, end] = ['savepoint one', 'rollback to one', 'release one'].map((sql) =>
  CompiledQuery.raw(sql),
) as [CompiledQuery, CompiledQuery, CompiledQuery]

/**
 * For a database that lets one writer in at a time: what is wanted within one turn of the event loop becomes one
 * transaction, since to begin and to commit one costs as much as three statements. Each work still happens whole or not
 * at all, and nobody hears of it before it is committed.
 */
export function sharedTransactions(db: Db, durable?: Durable): Transact {
  let waiting: Wanted[] = []
  const runAll = async () => {
    const together = waiting
    waiting = []
    try {
      await db.transaction().execute(async (transaction) => {
        for (const { run } of together) await run(transaction, together.length === 1)
      })
      for (const { kept } of together.filter(({ isDurable }) => !isDurable)) kept()
      // The next transaction runs meanwhile: what it commits shares the sync after this one.
      if (together.some(({ isDurable }) => isDurable)) await durable?.()
    } catch (error) {
      for (const { lost } of together) lost(error)
      return
    }
    for (const { kept } of together.filter(({ isDurable }) => isDurable)) kept()
  }
  return <Result>(
    work: (transaction: Db) => Promise<Result>,
    { isDurable = true }: TransactionOptions = {},
  ) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let tell: () => void
    const run = async (transaction: Db) => {
      const result = await work(transaction)
      tell = () => {
        resolve(result)
      }
    }
    const runAmongOthers = async (transaction: Db) => {
      await execute(transaction, begin)
      try {
        await run(transaction)
      } catch (error) {
        await execute(transaction, undo)
        tell = () => {
          reject(error)
        }
      }
      await execute(transaction, end)
    }
    waiting.push({
      isDurable,
      run: (transaction, isAlone) => (isAlone ? run(transaction) : runAmongOthers(transaction)),
      kept: () => {
        tell()
      },
      lost: reject,
    })
    if (waiting.length === 1) setImmediate(() => void runAll())
    return promise
  }
}
