import type { RequestRecord } from '../records.ts'
import type { Scopes } from './access.ts'
import { isAdmin, type Principal } from './principal.ts'

/** The rights of a request of HTTP to one upload request. */
export interface RequestCaller {
  /** Sends the token that the creator of the upload request received. */
  readonly holdsRequestToken: boolean
  /** Is signed in as its owner, or sends one of the owner's user tokens. */
  readonly isOwner: boolean
  /** The scopes of the owner's token. */
  readonly scopes: Scopes
  readonly isAdmin: boolean
}

export type RequestAction =
  | 'create upload requests'
  | 'see the upload request'
  | 'change the upload request'
  | 'remove the upload request'

/** The scope of a user token that each action needs. */
const neededScopes = {
  'create upload requests': 'upload',
  'see the upload request': 'read',
  'change the upload request': 'manage',
  'remove the upload request': 'manage',
} as const satisfies Record<RequestAction, string>

/** Whether a user token allows an action. */
export const isRequestInScope = (scopes: Scopes, action: RequestAction): boolean =>
  scopes === null || scopes.includes(neededScopes[action])

/**
 * The access policy of upload requests for their owners (docs/protocol.md#upload-request). Senders need the id, and the
 * password if there is one. Admins see and remove every request, and change none.
 */
export function mayAccessRequest(action: RequestAction, caller: RequestCaller): boolean {
  if (caller.holdsRequestToken || (caller.isOwner && isRequestInScope(caller.scopes, action))) return true
  return caller.isAdmin && action !== 'change the upload request'
}

/** The fields of an upload request that not every caller who may see it receives. */
export interface RequestView {
  /** The id of its owner. */
  readonly showOwner: boolean
  /** Its encrypted private key. */
  readonly showIdentity: boolean
}

/**
 * What a caller who may see an upload request receives. A holder of the request token must not learn who owns it. Admins never get
 * the private key, not even the encrypted one while they impersonate the owner: a short passphrase could be guessed.
 */
export function requestView(principal: Principal, request: Pick<RequestRecord, 'userId'>): RequestView {
  const isOwner = principal.user?.id === request.userId
  return {
    showOwner: isOwner || isAdmin(principal),
    showIdentity: principal.impersonator === null && (isOwner || !isAdmin(principal)),
  }
}
