import { mailConnections } from '../../../outgoing/mailer.ts'
import { tallies, type Slots } from './slots.ts'

/** At most half of the connections send emails of one account. */
const maxPerAccount = Math.floor(mailConnections / 2)

/** The maximum number of accounts in a round. */
const maxPerRound = 256

/** Stands for the server in the place of the id of an account. Messages without a user come from it. */
const serverAccount = ''

/**
 * One slot for each connection to the mail server, so that no message waits for a connection. Accounts take turns: each gets
 * one email in a round.
 */
export function mailSlots(): Slots {
  const byAccount = tallies()
  const servedThisRound = new Set<string>()
  let occupied = 0
  const isExhausted = (userId: string) => byAccount.get(userId) >= maxPerAccount
  return {
    free: () => mailConnections - occupied,
    full: () => ({
      targets: [],
      accounts: [...servedThisRound.union(new Set(byAccount.keys().filter(isExhausted)))],
    }),
    take({ userId }) {
      const account = userId ?? serverAccount
      if (occupied >= mailConnections || servedThisRound.has(account) || isExhausted(account)) return false
      if (servedThisRound.size >= maxPerRound) servedThisRound.clear()
      occupied += 1
      servedThisRound.add(account)
      byAccount.add(account, 1)
      return true
    },
    release({ userId }) {
      occupied -= 1
      byAccount.add(userId ?? serverAccount, -1)
    },
    nextRound() {
      const isAnyFree = [...servedThisRound].some((account) => !isExhausted(account))
      servedThisRound.clear()
      return isAnyFree
    },
  }
}
