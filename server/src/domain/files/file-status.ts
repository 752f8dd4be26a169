import type { FileStatus } from '@svc/contract'

/**
 * The one state machine of files (specification §3): which status may follow which.
 * A stream file goes back to `missing`, so that its uploader can try again.
 */
export const transitions = {
  missing: ['uploading', 'removed'],
  uploading: ['uploaded', 'removed', 'missing'],
  uploaded: ['removed'],
  removed: ['deleted'],
  deleted: [],
} as const satisfies Readonly<Record<FileStatus, readonly FileStatus[]>>

export const canTransition = (from: FileStatus, to: FileStatus): boolean =>
  (transitions[from] as readonly FileStatus[]).includes(to)

/** Every status from which a file can still be removed. */
export const removable: readonly FileStatus[] = (Object.keys(transitions) as FileStatus[]).filter((status) =>
  canTransition(status, 'removed'),
)
