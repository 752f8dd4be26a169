import type { Scopes } from './access.ts'
import type { UserRecord } from '../records.ts'

/** The user (or guest) that a request acts for. */
export interface Principal {
  /** The user whose identity and rights the request has; with impersonation the target. Null for a guest. */
  readonly user: UserRecord | null
  /** The id of the session of the request. */
  readonly session: string | null
  /** The id of the user token of the request. */
  readonly token: string | null
  /** The scopes of that token; null for an unlimited one, and without a token. */
  readonly scopes: Scopes
  /** The admin who acts as `user`. */
  readonly impersonator: UserRecord | null
}

export const guest: Principal = { user: null, session: null, token: null, scopes: null, impersonator: null }

/**
 * Whether the principal has the rights of an admin: with a session, as a user token grants only rights to its
 * owner's uploads, and without impersonation, which gives up the admin's rights.
 */
export const isAdmin = ({ user, session, impersonator }: Principal): boolean =>
  user?.admin === 1 && session !== null && impersonator === null
