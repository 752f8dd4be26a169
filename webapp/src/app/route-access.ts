import type { FlagValue } from '@svc/contract'
import { isWithin, paths } from '../base/paths.ts'

export interface RouteTarget {
  readonly path: string
  /** Id of an upload that the address names; empty if the link was cut. */
  readonly uploadID: string | undefined
}

/** Pages that are public on every server (docs/protocol.md#authentication). */
const isOpen = ({ path, uploadID }: RouteTarget) =>
  path === paths.login ||
  path === paths.clients ||
  path === paths.request ||
  (path === paths.home && uploadID !== undefined)

/** Pages of an account or of the administration, which require a user. */
const requiresUser = ({ path }: RouteTarget) =>
  path === paths.cliLogin || isWithin('/home', path) || isWithin('/admin', path)

/**
 * Who may see a page: everyone, only users, or users and guests as the server configures. Admin pages show a notice to users
 * without admin rights.
 */
export function audience(place: RouteTarget): 'everyone' | 'users' | 'asConfigured' {
  if (isOpen(place)) return 'everyone'
  return requiresUser(place) ? 'users' : 'asConfigured'
}

/** Whether guests may not see the page. Without a configuration the page opens and shows the error. */
export const requiresLogin = (authentication: FlagValue | undefined) => authentication === 'forced'
