import { setImmediate } from 'node:timers'
import { CompiledQuery } from 'kysely'
import { execute, type Db } from './prepared.ts'

/** Resolves when all that is committed survives a power cut (dialect.ts); absent where a commit does not return before. */
export type Durable = (() => Promise<void>) | undefined

/** Runs some work in a transaction. */
export type Transact = <Result>(work: (transaction: Db) => Promise<Result>) => Promise<Result>

interface Wanted {
  /** Does the work, and remembers how it ended. @throws when nothing of the transaction can be kept */
  readonly run: (transaction: Db, isAlone: boolean) => Promise<void>
  /** The transaction is committed, and survives a power cut: the caller hears how the work ended. */
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
      // The next transaction runs meanwhile: what it commits shares the sync after this one.
      await durable?.()
    } catch (error) {
      for (const { lost } of together) lost(error)
      return
    }
    for (const { kept } of together) kept()
  }
  return <Result>(work: (transaction: Db) => Promise<Result>) => {
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
