import { budgetKeyOf, type BudgetKey } from '../../domain/access/budget-key.ts'
import { guest, type Principal } from '../../domain/access/principal.ts'
import type { RequestContext } from './chain.ts'

/** Adds the network or account whose budgets the request uses; null if it is exempt (`BudgetExempt`). */
export function budgetKey({
  service,
  address,
  principal = guest,
}: RequestContext & { readonly address: string; readonly principal?: Principal }): {
  readonly budgetKey: BudgetKey | null
} {
  return { budgetKey: service.isExemptFromBudgets(address) ? null : budgetKeyOf(principal, address) }
}
