import type { Scopes } from './access.ts'
import type { UserRecord } from '../records.ts'

/** Who sent a request, as far as it proved it. */
export interface Principal {
  /** Whose identity and rights it has; with impersonation those of the target. Null for a guest. */
  readonly user: UserRecord | null
  /** Id of the session that it came with. */
  readonly session: string | null
  /** Id of the user token that it came with. */
  readonly token: string | null
  /** What that token is limited to; null for nothing, and without a token. */
  readonly scopes: Scopes
  /** The admin who acts as `user`. */
  readonly impersonator: UserRecord | null
}

export const guest: Principal = { user: null, session: null, token: null, scopes: null, impersonator: null }

/**
 * Whether it may do what only admins may: with a session of its own. A user token acts for its owner's uploads
 * only, and who impersonates has left its own rights behind.
 */
export const isAdmin = ({ user, session, impersonator }: Principal): boolean =>
  user?.admin === 1 && session !== null && impersonator === null
