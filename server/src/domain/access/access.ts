import { tokenScopes, type TokenScope } from '@svc/contract'
import type { Bit } from '../records.ts'

/** What is known of whoever sent a request, with regard to one upload. */
export interface Caller {
  /** Holds the token that was given out when the upload was created. */
  readonly holdsUploadToken: boolean
  /** Signed in as the owner of the upload, or with one of the owner's tokens. */
  readonly isOwner: boolean
  /** What the owner's token is limited to. */
  readonly scopes: Scopes
  readonly isAdmin: boolean
}

export const stranger: Caller = { holdsUploadToken: false, isOwner: false, scopes: null, isAdmin: false }

interface Guarded {
  readonly passwordHash: string | null
  readonly removable: Bit
}

export type Action = 'read' | 'add files' | 'remove files' | 'remove the upload'

/** `password`: allowed with the upload's login and password. */
export type AccessDecision = 'allowed' | 'refused' | 'password'

/** What a user token is limited to; null: to nothing. */
export type Scopes = readonly TokenScope[] | null

/** What a user token of each scope may do for its user. One without scopes may do all of this, and none may do more. */
const scopeActions: Readonly<Record<TokenScope, readonly (Action | 'create uploads')[]>> = {
  upload: ['create uploads', 'add files'],
  read: ['read'],
  manage: ['remove files', 'remove the upload'],
}

/** Whether a user token may do something for its user. */
export const isInScope = (scopes: Scopes, action: Action | 'create uploads'): boolean =>
  scopes === null || scopes.some((scope) => scopeActions[scope].includes(action))

/** Scopes as they are kept: in one order, separated by spaces. */
export const writtenScopes = (scopes: Scopes | undefined): string | null =>
  scopes === null || scopes === undefined
    ? null
    : tokenScopes.filter((scope) => scopes.includes(scope)).join(' ')

export const readScopes = (written: string | null): Scopes =>
  written === null ? null : tokenScopes.filter((scope) => written.split(' ').includes(scope))

/** Whether the upload is the caller's to manage: to add to it as to remove it. */
export const manages = ({ holdsUploadToken, isOwner, scopes }: Caller): boolean =>
  holdsUploadToken || (isOwner && isInScope(scopes, 'add files') && isInScope(scopes, 'remove the upload'))

/**
 * The one policy: what a caller may do with an upload. Every route asks here.
 * (specification §1 "admins see every upload", §4 "Upload and file endpoints", §5 rules 2, 3 and 7)
 */
export function decideAccess(action: Action, upload: Guarded, caller: Caller): AccessDecision {
  if (caller.holdsUploadToken || (caller.isOwner && isInScope(caller.scopes, action))) return 'allowed'
  const open: AccessDecision = upload.passwordHash === null ? 'allowed' : 'password'
  switch (action) {
    case 'read':
      return caller.isAdmin ? 'allowed' : open
    case 'remove files':
      if (caller.isAdmin) return 'allowed'
      return upload.removable === 1 ? open : 'refused'
    case 'remove the upload':
      return caller.isAdmin ? 'allowed' : 'refused'
    case 'add files':
      return 'refused'
  }
}
