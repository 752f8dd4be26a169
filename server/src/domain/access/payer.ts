import { networkOf } from './addresses.ts'
import type { UploadRecord } from '../records.ts'
import type { Principal } from './principal.ts'

/** The network or account whose budgets a request uses. */
export type Payer = string

/** A signed-in user has a budget, wherever the request comes from. Guests share the budget of their network. */
export const payerOf = ({ user }: Pick<Principal, 'user'>, address: string): Payer =>
  payerOfUpload({ userId: user?.id ?? null, address })

/** The payer of the request that created an upload. */
export const payerOfUpload = ({ userId, address }: Pick<UploadRecord, 'userId' | 'address'>): Payer =>
  userId === null ? `network ${networkOf(address)}` : `account ${userId}`
