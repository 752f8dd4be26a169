import type { FileStatus } from '@svc/contract'

/**
 * The state machine of files (docs/protocol.md#states): which status may follow which. A stream file returns to
 * `missing`, so that its uploader can try again.
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

/** The statuses from which a file can be removed. */
export const removable: readonly FileStatus[] = (Object.keys(transitions) as FileStatus[]).filter((status) =>
  canTransition(status, 'removed'),
)
