import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import { budgetNames, type BudgetLimits, type BudgetName } from '../../domain/budgets.ts'
import { accountBudgetKey, type BudgetKey } from '../../domain/access/budget-key.ts'
import type { Clock } from '../../domain/clock.ts'
import { budgetReached } from '../../domain/errors.ts'
import type { BudgetRow } from '../../metadata/accounts/budgets.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'
import { logInterval } from '../../platform/log-interval.ts'

/**
 * Budgets are for an hour of the clock. All restart together, so that the rows of past hours can be deleted together.
 */
const windowMs = 60 * 60_000
const windowOf = (now: number) => Math.floor(now / windowMs)
/** ms since the epoch. */
const endOf = (window: number) => (window + 1) * windowMs

/** The interval between two writes: for this time, other instances may not know the usage of this one. */
const writeMs = 5_000

/** The maximum number of rows of one statement. */
const batch = 500

/** The maximum number of counts in memory, about 20 MB. Above it, written counts are dropped. */
const maxCounts = 100_000

/** Counts usage against budgets. A budget key of null is exempt. */
export interface Budgets {
  /**
   * Uses an amount of a budget. An amount above the whole budget passes as the first of its hour.
   * @throws ServiceError `budget_reached` with nothing used
   */
  readonly spend: (budgetKey: BudgetKey | null, budget: BudgetName, amount?: number) => void
  /**
   * Uses the announced bytes, and further bytes as they arrive.
   * @param expected 0 when unknown
   * @throws ServiceError `budget_reached`
   */
  readonly receive: (budgetKey: BudgetKey | null, expected: number) => ChargedBytes
  /** How many times each budget was exceeded since the start of the process. */
  readonly exceeded: () => Readonly<Record<BudgetName, number>>
  /** Shares the usage since the last write with other instances. Logs failures, and never rejects. */
  readonly write: () => Promise<void>
}

/** Bytes that are counted as they arrive. */
export interface ChargedBytes {
  /** @throws ServiceError `budget_reached` */
  cover(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Returns the announced bytes that did not arrive. */
  end(): void
}

/** The table that all instances share. */
export interface SharedBudgets {
  /**
   * Adds usage in one transaction.
   * @throws DatabaseError
   */
  readonly add: (used: readonly BudgetRow[]) => Promise<void>
  readonly totals: (keys: readonly string[]) => Promise<readonly Pick<BudgetRow, 'key' | 'used'>[]>
}

export interface BudgetsOptions {
  readonly limits: BudgetLimits
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly shared: SharedBudgets
}

interface Count {
  /** Used by all instances, as far as this one knows. */
  used: number
  /** Used by this instance, and not written yet. */
  unwritten: number
}

/**
 * Budgets that are counted in memory and shared through the database every few seconds, so that no request waits for
 * the database. Existing packages write on each request, or count in one process with the real clock.
 */
export function budgets({ limits, clock, log, shared }: BudgetsOptions): Budgets {
  const exceeded = Object.fromEntries(budgetNames.map((name) => [name, 0])) as Record<BudgetName, number>
  let window = -1
  let counts = new Map<string, Count>()
  const logOncePerMinute = logInterval(clock)

  /** The counts of the current hour. */
  const current = (now: number) => {
    const running = windowOf(now)
    if (running !== window) {
      window = running
      counts = new Map()
    }
    return counts
  }
  const exceed = (budgetKey: BudgetKey, budget: BudgetName, now: number) => {
    exceeded[budget] += 1
    logOncePerMinute(() => {
      log.warn({ budget, budgetKey, limit: limits[budget] }, 'a budget is used up')
    })
    return budgetReached(budget, Math.ceil((endOf(window) - now) / 1000))
  }
  const use = (budgetKey: BudgetKey, budget: BudgetName, amount: number) => {
    const now = clock.now()
    const running = current(now)
    const key = `${budget} ${budgetKey}`
    let count = running.get(key)
    if (count === undefined) running.set(key, (count = { used: 0, unwritten: 0 }))
    if (amount > 0 && count.used > 0 && count.used + amount > limits[budget])
      throw exceed(budgetKey, budget, now)
    // Returned usage may belong to the previous hour.
    const change = Math.max(amount, -count.used)
    count.used += change
    count.unwritten += change
  }
  const spend = (budgetKey: BudgetKey | null, budget: BudgetName, amount = 1) => {
    if (budgetKey !== null && amount !== 0 && limits[budget] !== Infinity) use(budgetKey, budget, amount)
  }

  const share = async (counted: readonly (readonly [string, Count])[], until: number) => {
    const rows = counted.map(([name, count]) => ({ name, count, used: count.unwritten }))
    const keyed = rows.map((row) => ({ ...row, key: digest(row.name, until) }))
    for (const { count, used } of keyed) count.unwritten -= used
    try {
      await shared.add(keyed.map(({ key, used }) => ({ key, used, until })))
    } catch (error) {
      // An undecided write may have succeeded, and is not repeated.
      if (!(error instanceof DatabaseError && error.kind === 'undecided'))
        for (const { count, used } of keyed) count.unwritten += used
      throw error
    }
    const totals = new Map(
      (await shared.totals(keyed.map(({ key }) => key))).map((row) => [row.key, row.used]),
    )
    for (const { key, count } of keyed) count.used = (totals.get(key) ?? 0) + count.unwritten
  }
  const writeCounts = async () => {
    const running = current(clock.now())
    const until = endOf(window)
    const unwritten = [...running].filter(([, count]) => count.unwritten !== 0)
    try {
      for (let from = 0; from < unwritten.length; from += batch)
        await share(unwritten.slice(from, from + batch), until)
    } catch (error) {
      log.warn({ err: error }, 'the usage of budgets could not be written')
    }
    if (running.size > maxCounts) forgetWritten(running)
  }
  let lastWrite = Promise.resolve()

  return {
    spend,
    receive(budgetKey, expected) {
      spend(budgetKey, 'bytes', expected)
      return chargedBytes(expected, (bytes) => {
        spend(budgetKey, 'bytes', bytes)
      })
    },
    exceeded: () => exceeded,
    write: () => (lastWrite = lastWrite.then(writeCounts)),
  }
}

/**
 * @param charged bytes that are already charged
 * @param charge uses bytes, or returns them when negative
 */
function chargedBytes(charged: number, charge: (bytes: number) => void): ChargedBytes {
  let left = charged
  return {
    async *cover(chunks) {
      for await (const chunk of chunks) {
        const missing = chunk.length - left
        left = Math.max(0, -missing)
        if (missing > 0) charge(missing)
        yield chunk
      }
    },
    end() {
      if (left > 0) charge(-left)
      left = 0
    },
  }
}

/** Hides network addresses and user ids in the database. */
const digest = (name: string, until: number) => hash('sha256', `${name} ${String(until)}`, 'base64url')

/**
 * The keys of the rows of an account for the current hour, and the budget of each.
 * @param now ms since the epoch
 */
export function accountBudgetKeys(userId: string, now: number): ReadonlyMap<string, BudgetName> {
  const until = endOf(windowOf(now))
  return new Map(budgetNames.map((name) => [digest(`${name} ${accountBudgetKey(userId)}`, until), name]))
}

function forgetWritten(counts: Map<string, Count>): void {
  for (const [key, { unwritten }] of counts) {
    if (counts.size <= maxCounts / 2) return
    if (unwritten === 0) counts.delete(key)
  }
}

/**
 * Shares the budgets at an interval.
 * @returns stops the interval and resolves once everything is written
 */
export function scheduleBudgets(clock: Clock, { write }: Pick<Budgets, 'write'>): () => Promise<void> {
  const stop = clock.every(writeMs, () => {
    void write() // It logs failures, and never rejects.
  })
  return () => {
    stop()
    return write()
  }
}
