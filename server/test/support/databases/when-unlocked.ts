import { setImmediate as nextTurn } from 'node:timers/promises'

/** SQLite's result code for a lock that another connection holds. */
const busy = 5

/**
 * Repeats a statement of SQLite in the turns of the event loop until the database is not locked. SQLite's own timeout
 * would block the loop, and with it a server of the same process that has to end its transaction first.
 * @param work must change nothing when it throws
 */
export async function whenUnlocked<Result>(work: () => Result): Promise<Result> {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof Error && 'errcode' in error && error.errcode === busy)) throw error
    }
    await nextTurn()
  }
}
