import { isAdmin, type Principal } from './principal.ts'

/** What a principal may do with an account, its own or that of another user. */
export type AccountAction =
  | 'see'
  | 'change the profile'
  | 'change limits and rights'
  | 'delete'
  | 'use sessions and tokens'
  | 'change own password'
  | 'impersonate'

/**
 * The policy for users, sessions and tokens (docs/protocol.md#authentication).
 * @param userID id of the account
 */
export function mayAccessAccount(action: AccountAction, principal: Principal, userID: string): boolean {
  const isOwn = principal.user?.id === userID
  switch (action) {
    case 'see':
    case 'change the profile':
      return isOwn || isAdmin(principal)
    case 'change limits and rights':
    case 'impersonate':
      return isAdmin(principal)
    case 'delete':
      // Users delete their account with `DELETE /me`, so that no admin deletes it by mistake.
      return !isOwn && isAdmin(principal)
    case 'use sessions and tokens':
    case 'change own password':
      // They sign the user in again later: an admin who impersonates the user must not get them.
      return isOwn && principal.impersonator === null
  }
}

/** Whether a principal may use the endpoints of admins: all users, all uploads, the server's stats and its build. */
export const mayAdminister = (principal: Principal): boolean => isAdmin(principal)
