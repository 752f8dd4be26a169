import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import { budgetNames, type BudgetLimits, type BudgetName } from '../../domain/budgets.ts'
import { type Payer } from '../../domain/access/payer.ts'
import type { Clock } from '../../domain/clock.ts'
import { budgetReached } from '../../domain/errors.ts'
import type { BudgetRow } from '../../metadata/accounts/budgets.ts'
import { DatabaseError } from '../../metadata/dialects/errors.ts'

/** Budgets are for an hour of the clock: all begin anew together, and what is over can be forgotten at once. */
const windowMs = 60 * 60_000

/** Between two writes: so long another process may not know what was used here. */
const writeMs = 5_000

const logMs = 60_000

/** Rows of one statement. */
const batch = 500

/** Payers that are remembered at most, some 20 MB: above, those that are written down are forgotten. */
const mostCounts = 100_000

/** A payer of null is exempt from all budgets. */
export interface Budgets {
  /**
   * Uses some of a budget. What is larger than the whole of it passes as the first of its hour.
   * @throws ServiceError `budget_reached` with nothing used
   */
  readonly spend: (payer: Payer | null, budget: BudgetName, amount?: number) => void
  /**
   * Uses bytes that are announced, and those beyond as they come.
   * @param expected 0 when unknown @throws ServiceError `budget_reached`
   */
  readonly receive: (payer: Payer | null, expected: number) => ChargedBytes
  /** How often each was reached since the start of the process. */
  readonly refusals: () => Readonly<Record<BudgetName, number>>
  /** Shares with other processes what was used since the last time. It logs its failures itself. */
  readonly write: () => Promise<void>
}

/** Bytes that are counted as they come. */
export interface ChargedBytes {
  /** @throws ServiceError `budget_reached` */
  cover(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  /** Gives back what was announced and has not come. */
  end(): void
}

/** What the budgets of all processes are written down in. */
export interface SharedBudgets {
  /** Adds what was used, all or nothing. @throws DatabaseFailure */
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
  /** By all processes, as far as that is known. */
  used: number
  /** By this one, and not written down. */
  unwritten: number
}

/**
 * Budgets, counted in memory and shared over the database every few seconds: no request waits for it. Packages for this
 * write at each request, or count in one process and by the real clock.
 */
export function budgets({ limits, clock, log, shared }: BudgetsOptions): Budgets {
  const refusals = Object.fromEntries(budgetNames.map((name) => [name, 0])) as Record<BudgetName, number>
  let window = -1
  let counts = new Map<string, Count>()
  let loggedAt = -Infinity

  /** Counts of the running hour. */
  const current = (now: number) => {
    const running = Math.floor(now / windowMs)
    if (running !== window) {
      window = running
      counts = new Map()
    }
    return counts
  }
  const refuse = (payer: Payer, budget: BudgetName, now: number) => {
    refusals[budget] += 1
    if (now - loggedAt >= logMs) {
      loggedAt = now
      log.warn({ budget, payer, limit: limits[budget] }, 'a budget is used up')
    }
    return budgetReached(budget, Math.ceil(((window + 1) * windowMs - now) / 1000))
  }
  const use = (payer: Payer, budget: BudgetName, amount: number) => {
    const now = clock.now()
    const running = current(now)
    const key = `${budget} ${payer}`
    let count = running.get(key)
    if (count === undefined) running.set(key, (count = { used: 0, unwritten: 0 }))
    if (amount > 0 && count.used > 0 && count.used + amount > limits[budget]) throw refuse(payer, budget, now)
    // What is given back may have been used in the hour before.
    const change = Math.max(amount, -count.used)
    count.used += change
    count.unwritten += change
  }
  const spend = (payer: Payer | null, budget: BudgetName, amount = 1) => {
    if (payer !== null && amount !== 0 && limits[budget] !== Infinity) use(payer, budget, amount)
  }

  const share = async (counted: readonly (readonly [string, Count])[], until: number) => {
    const rows = counted.map(([name, count]) => ({ name, count, used: count.unwritten }))
    const keyed = rows.map((row) => ({ ...row, key: digest(row.name, until) }))
    for (const { count, used } of keyed) count.unwritten -= used
    try {
      await shared.add(keyed.map(({ key, used }) => ({ key, used, until })))
    } catch (error) {
      // What may have been added is not added again.
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
    const until = (window + 1) * windowMs
    const unwritten = [...running].filter(([, count]) => count.unwritten !== 0)
    try {
      for (let from = 0; from < unwritten.length; from += batch)
        await share(unwritten.slice(from, from + batch), until)
    } catch (error) {
      log.warn({ err: error }, 'what was used of budgets could not be written')
    }
    if (running.size > mostCounts) forgetWritten(running)
  }
  let writing = Promise.resolve()

  return {
    spend,
    receive(payer, expected) {
      spend(payer, 'bytes', expected)
      return paidBytes(expected, (bytes) => {
        spend(payer, 'bytes', bytes)
      })
    },
    refusals: () => refusals,
    write: () => (writing = writing.then(writeCounts)),
  }
}

/** @param paid bytes that are paid for @param pay takes bytes, or gives them back where they are negative */
function paidBytes(paid: number, pay: (bytes: number) => void): ChargedBytes {
  let left = paid
  return {
    async *cover(chunks) {
      for await (const chunk of chunks) {
        const lacking = chunk.length - left
        left = Math.max(0, -lacking)
        if (lacking > 0) pay(lacking)
        yield chunk
      }
    },
    end() {
      if (left > 0) pay(-left)
      left = 0
    },
  }
}

/** Nobody reads in the database who was here. */
const digest = (name: string, until: number) => hash('sha256', `${name} ${String(until)}`, 'base64url')

function forgetWritten(counts: Map<string, Count>): void {
  for (const [key, { unwritten }] of counts) {
    if (counts.size <= mostCounts / 2) return
    if (unwritten === 0) counts.delete(key)
  }
}

/** Shares budgets from time to time. @returns stops that, once everything is written */
export function scheduleBudgets(clock: Clock, { write }: Pick<Budgets, 'write'>): () => Promise<void> {
  const stop = clock.every(writeMs, () => {
    void write() // It logs its failures itself.
  })
  return () => {
    stop()
    return write()
  }
}
