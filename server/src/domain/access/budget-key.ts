import { networkOf } from './addresses.ts'
import type { UploadRecord } from '../records.ts'
import type { Principal } from './principal.ts'

/** Identifies the network or account whose budgets a request uses. */
export type BudgetKey = string

/** A signed-in user has a budget, wherever the request comes from. Guests share the budget of their network. */
export const budgetKeyOf = ({ user }: Pick<Principal, 'user'>, address: string): BudgetKey =>
  budgetKeyOfUpload({ userId: user?.id ?? null, address })

/** The budget key of the request that created an upload. */
export const budgetKeyOfUpload = ({
  userId,
  address,
}: Pick<UploadRecord, 'userId' | 'address'>): BudgetKey =>
  userId === null ? `network ${networkOf(address)}` : accountBudgetKey(userId)

export const accountBudgetKey = (userId: string): BudgetKey => `account ${userId}`
