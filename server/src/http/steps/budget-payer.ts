import { payerOf, type Payer } from '../../domain/access/payer.ts'
import { guest, type Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'

/** Adds the network or account whose budgets the request uses; null if it is exempt (`BudgetExempt`). */
export function payer({
  service,
  address,
  principal = guest,
}: RequestContext & { readonly address: string; readonly principal?: Principal }): {
  readonly payer: Payer | null
} {
  return { payer: service.isExemptFromBudgets(address) ? null : payerOf(principal, address) }
}
