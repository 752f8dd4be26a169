import type { Bit } from './records.ts'

/** What is known of whoever sent a request, with regard to one upload. */
export interface Caller {
  /** Holds the token that was given out when the upload was created. */
  readonly holdsUploadToken: boolean
  /** Signed in as the owner of the upload, or with one of the owner's tokens. */
  readonly isOwner: boolean
  readonly isAdmin: boolean
}

export const stranger: Caller = { holdsUploadToken: false, isOwner: false, isAdmin: false }

interface Guarded {
  readonly passwordHash: string | null
  readonly removable: Bit
}

export type Action = 'read' | 'add files' | 'remove files' | 'remove the upload'

/** `password`: allowed with the upload's login and password. */
export type Verdict = 'allowed' | 'refused' | 'password'

/** Whether the upload is the caller's to manage. */
export const manages = (caller: Caller): boolean => caller.holdsUploadToken || caller.isOwner

/**
 * The one policy: what a caller may do with an upload. Every route asks here.
 * (specification §1 "admins see every upload", §4 "Upload and file endpoints", §5 rules 2, 3 and 7)
 */
export function verdict(action: Action, upload: Guarded, caller: Caller): Verdict {
  if (manages(caller)) return 'allowed'
  const open: Verdict = upload.passwordHash === null ? 'allowed' : 'password'
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
