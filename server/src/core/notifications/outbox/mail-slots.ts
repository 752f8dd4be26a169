import { mailConnections } from '../../../outgoing/mailer.ts'
import { counters, type Slots } from './slots.ts'

/** The maximum number of emails of one account at the same time: a connection is left for others. */
const maxPerAccount = mailConnections / 2

/** The maximum number of accounts in a round. */
const maxPerRound = 256

/**
 * One slot for each connection to the mail server, so that no message waits for a connection. Accounts take turns: each gets
 * one email in a round.
 */
export function mailSlots(): Slots {
  const ofAccounts = counters()
  const served = new Set<string>()
  let all = 0
  const isExhausted = (userId: string) => ofAccounts.get(userId) >= maxPerAccount
  return {
    free: () => mailConnections - all,
    full: () => ({
      targets: [],
      accounts: [...served.union(new Set(ofAccounts.keys().filter(isExhausted)))],
    }),
    take({ userId }) {
      const account = userId ?? ''
      if (all >= mailConnections || served.has(account) || isExhausted(account)) return false
      if (served.size >= maxPerRound) served.clear()
      all += 1
      served.add(account)
      ofAccounts.add(account, 1)
      return true
    },
    release({ userId }) {
      all -= 1
      ofAccounts.add(userId ?? '', -1)
    },
    nextRound() {
      const isAnyFree = [...served].some((account) => !isExhausted(account))
      served.clear()
      return isAnyFree
    },
  }
}
