import type { FlagValue } from '@svc/contract'
import { isWithin, paths } from '../base/paths.ts'

export interface RouteTarget {
  readonly path: string
  /** Id of an upload that the address names. */
  readonly uploadID: string | undefined
}

/** Pages that are public on every server (docs/protocol.md#authentication). */
const isOpen = ({ path, uploadID }: RouteTarget) =>
  path === paths.login || path === paths.clients || (path === paths.home && Boolean(uploadID))

/** Pages of an account or of the administration, which need one. */
const isForMembers = ({ path }: RouteTarget) =>
  path === paths.cliLogin || isWithin('/home', path) || isWithin('/admin', path)

/**
 * Who may see a page: everybody, only who is logged in, or what the server says about logging in. Admin pages tell
 * members who are no admins so themselves.
 */
export function audience(place: RouteTarget): 'everybody' | 'members' | 'asTheServerSays' {
  if (isOpen(place)) return 'everybody'
  return isForMembers(place) ? 'members' : 'asTheServerSays'
}

/** Whether guests may not even look. Where nothing is known of the server, its pages say what is wrong. */
export const requiresLogin = (authentication: FlagValue | undefined) => authentication === 'forced'
