/** What is known of whoever sent a request, with regard to one upload. */
export interface Caller {
  /** Holds the token that was given out when the upload was created. */
  readonly holdsUploadToken: boolean
}

export const guest: Caller = { holdsUploadToken: false }

interface Guarded {
  readonly passwordHash: string | null
  readonly removable: 0 | 1
}

export type Action = 'read' | 'add files' | 'remove files' | 'remove the upload'

/** `password`: allowed with the upload's login and password. */
export type Verdict = 'allowed' | 'refused' | 'password'

/**
 * The one policy: what a caller may do with an upload. Every route asks here.
 * (specification §4 "Upload and file endpoints", §5 rules 2 and 7)
 */
export function verdict(action: Action, upload: Guarded, caller: Caller): Verdict {
  if (caller.holdsUploadToken) return 'allowed'
  const open: Verdict = upload.passwordHash === null ? 'allowed' : 'password'
  switch (action) {
    case 'read':
      return open
    case 'remove files':
      return upload.removable === 1 ? open : 'refused'
    case 'add files':
    case 'remove the upload':
      return 'refused'
  }
}
