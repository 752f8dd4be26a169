import { tokenScopes, type TokenScope } from '@svc/contract'
import type { Bit } from '../records.ts'

/** The rights of a request to one upload. */
export interface Caller {
  /** Sends the token that the creator of the upload received. */
  readonly holdsUploadToken: boolean
  /** Sends the token of the upload request that received the upload. */
  readonly holdsRequestToken: boolean
  /** Is signed in as the owner of the upload, or sends one of the owner's tokens. */
  readonly isOwner: boolean
  /** The scopes of the owner's token. */
  readonly scopes: Scopes
  readonly isAdmin: boolean
}

export const anonymousCaller: Caller = {
  holdsUploadToken: false,
  holdsRequestToken: false,
  isOwner: false,
  scopes: null,
  isAdmin: false,
}

interface GuardedUpload {
  readonly passwordHash: string | null
  readonly removable: Bit
  /** The upload request that received it: an id of the upload is then not enough to read it. */
  readonly requestId: string | null
}

export type Action =
  | 'read'
  | 'see the downloads'
  | 'add files'
  | 'remove files'
  | 'change the upload'
  | 'remove the upload'
  | 'send the link by email'

/** `password`: allowed with the upload's login and password. */
export type AccessDecision = 'allowed' | 'denied' | 'password'

/** The scopes of a user token; null for an unlimited one. */
export type Scopes = readonly TokenScope[] | null

/** The actions of each scope. An unlimited user token allows all of them, and no token allows more. */
const scopeActions: Readonly<Record<TokenScope, readonly (Action | 'create uploads')[]>> = {
  upload: ['create uploads', 'add files'],
  read: ['read', 'see the downloads'],
  manage: ['remove files', 'change the upload', 'remove the upload', 'send the link by email'],
}

/** Whether a user token allows an action. */
export const isInScope = (scopes: Scopes, action: Action | 'create uploads'): boolean =>
  scopes === null || scopes.some((scope) => scopeActions[scope].includes(action))

/** Scopes as they are stored: in a fixed order, separated by spaces. */
export const serializeScopes = (scopes: Scopes | undefined): string | null =>
  scopes === null || scopes === undefined
    ? null
    : tokenScopes.filter((scope) => scopes.includes(scope)).join(' ')

export const parseScopes = (text: string | null): Scopes =>
  text === null ? null : tokenScopes.filter((scope) => text.split(' ').includes(scope))

/** Whether the caller may both add to and remove the upload. */
export const canManage = ({ holdsUploadToken, isOwner, scopes }: Caller): boolean =>
  holdsUploadToken || (isOwner && isInScope(scopes, 'add files') && isInScope(scopes, 'remove the upload'))

/**
 * The access policy of uploads, for every route of an upload (docs/protocol.md#endpoints,
 * docs/protocol.md#authentication).
 */
export function decideAccess(action: Action, upload: GuardedUpload, caller: Caller): AccessDecision {
  if (caller.isOwner && isInScope(caller.scopes, action)) return 'allowed'
  // The message has the name of the account, and uses its budget.
  if (action === 'send the link by email') return 'denied'
  if (caller.holdsUploadToken && !isHiddenFromSender(action, upload)) return 'allowed'
  if (caller.holdsRequestToken && action !== 'add files') return 'allowed'
  const open = accessByLink(upload)
  switch (action) {
    case 'read':
      return caller.isAdmin ? 'allowed' : open
    case 'remove files':
      if (caller.isAdmin) return 'allowed'
      return upload.removable === 1 ? open : 'denied'
    case 'see the downloads':
    case 'change the upload':
    case 'remove the upload':
      return caller.isAdmin ? 'allowed' : 'denied'
    case 'add files':
      return 'denied'
  }
}

/** When the owner of a request fetches an upload, and from where, is not for its sender. */
export const isHiddenFromSender = (action: Action, { requestId }: GuardedUpload): boolean =>
  requestId !== null && action === 'see the downloads'

/** What the link of an upload allows without further credentials. */
function accessByLink({ passwordHash, requestId }: GuardedUpload): AccessDecision {
  if (requestId !== null) return 'denied'
  return passwordHash === null ? 'allowed' : 'password'
}
