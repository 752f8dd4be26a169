import { networkOf } from './addresses.ts'
import type { Principal } from './principal.ts'

/** Whose budget something is counted in. */
export type Payer = string

/** Who is signed in has a budget of its own, wherever it comes from; a guest shares that of its network. */
export const payerOf = ({ user }: Pick<Principal, 'user'>, address: string): Payer =>
  user === null ? `network ${networkOf(address)}` : `account ${user.id}`
