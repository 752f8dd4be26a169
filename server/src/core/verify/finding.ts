import type { FileStatus } from '@svc/contract'
import type { StoredKey } from '../../data/backend/inventory.ts'
import type { ExpectedFile } from '../../metadata/files/verification.ts'

/**
 * The differences between database and data store for a file: `lost`: the database has a file without bytes in the
 * store; `wrong_size` and `wrong_hash`: the store has other bytes; `orphaned`: the store has bytes without a file
 * in the database; `unfinished`: the store has parts of an abandoned write; `unreadable`: the store cannot tell what it has.
 */
export const findingKinds = [
  'lost',
  'wrong_size',
  'wrong_hash',
  'orphaned',
  'unfinished',
  'unreadable',
] as const
export type FindingKind = (typeof findingKinds)[number]

export interface Finding {
  readonly kind: FindingKind
  /** The id of the file, which is the key of its data. */
  readonly file: string
  readonly upload: string | null
  /** The status of the file in the database; null when the database has no such file. */
  readonly status: FileStatus | null
  /** The bytes that the database expects, and those that are readable; null for none. */
  readonly expectedSize: number | null
  readonly storedSize: number | null
  /**
   * The time of the last change in the store, in milliseconds since the epoch; null when the store has nothing.
   */
  readonly modifiedAt: number | null
}

/** The status of a file for a verification: the files of a removed upload count as removed. */
export function effectiveStatus(claim: ExpectedFile | undefined): FileStatus | 'unknown' {
  if (claim === undefined) return 'unknown'
  return claim.deletedAt !== null && claim.status !== 'deleted' ? 'removed' : claim.status
}

/**
 * Compares database and store for one file.
 * @returns undefined when they agree
 */
export function compare(
  claim: ExpectedFile | undefined,
  stored: StoredKey | undefined,
): Exclude<FindingKind, 'wrong_hash'> | undefined {
  const size = stored?.size ?? null
  const unfinished = stored?.unfinished === true ? 'unfinished' : undefined
  const status = effectiveStatus(claim)
  // The upload or the cleanup of these bytes is in progress.
  if (status === 'uploading' || status === 'removed') return undefined
  if (stored?.isUnreadable === true) return 'unreadable'
  switch (status) {
    case 'uploaded':
      if (size === null) return 'lost'
      return size === claim?.fileSize ? unfinished : 'wrong_size'
    case 'missing':
    case 'deleted':
    case 'unknown':
      return size === null ? unfinished : 'orphaned'
  }
}

export const findingOf = (
  kind: FindingKind,
  key: string,
  claim: ExpectedFile | undefined,
  stored: StoredKey | undefined,
): Finding => ({
  kind,
  file: key,
  upload: claim?.uploadId ?? null,
  status: claim?.status ?? null,
  expectedSize: effectiveStatus(claim) === 'uploaded' ? (claim?.fileSize ?? null) : null,
  storedSize: stored?.size ?? null,
  modifiedAt: stored?.modifiedAt ?? null,
})
