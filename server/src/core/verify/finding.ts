import type { FileStatus } from '@svc/contract'
import type { StoredKey } from '../../data/backend/inventory.ts'
import type { ExpectedFile } from '../../metadata/files/verification.ts'

/**
 * The differences between database and data store for a file: `lost`: the database has a file without bytes in the
 * store; `wrong_size` and `wrong_hash`: the store has other bytes; `orphaned`: the store has bytes without a file
 * in the database; `unfinished`: the store has bytes of an interrupted write; `unreadable`: the store cannot read the file.
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
  /** The size in the database, and that in the store; null without a file there. */
  readonly expectedSize: number | null
  readonly storedSize: number | null
  /**
   * The time of the last change in the store, in milliseconds since the epoch; null when the store has nothing.
   */
  readonly modifiedAt: number | null
}

/** The status of a file for a verification: the files of a removed upload count as removed. */
export function effectiveStatus(expected: ExpectedFile | undefined): FileStatus | 'unknown' {
  if (expected === undefined) return 'unknown'
  return expected.deletedAt !== null && expected.status !== 'deleted' ? 'removed' : expected.status
}

/**
 * Compares database and store for one file.
 * @returns undefined when they agree
 */
export function differenceOf(
  expected: ExpectedFile | undefined,
  stored: StoredKey | undefined,
): Exclude<FindingKind, 'wrong_hash'> | undefined {
  const size = stored?.size ?? null
  const unfinished = stored?.unfinished === true ? 'unfinished' : undefined
  const status = effectiveStatus(expected)
  // The upload or the cleanup of these bytes is in progress.
  if (status === 'uploading' || status === 'removed') return undefined
  if (stored?.isUnreadable === true) return 'unreadable'
  switch (status) {
    case 'uploaded':
      if (size === null) return 'lost'
      return size === expected?.fileSize ? unfinished : 'wrong_size'
    case 'missing':
    case 'deleted':
    case 'unknown':
      return size === null ? unfinished : 'orphaned'
  }
}

export const findingOf = (
  kind: FindingKind,
  key: string,
  expected: ExpectedFile | undefined,
  stored: StoredKey | undefined,
): Finding => ({
  kind,
  file: key,
  upload: expected?.uploadId ?? null,
  status: expected?.status ?? null,
  expectedSize: effectiveStatus(expected) === 'uploaded' ? (expected?.fileSize ?? null) : null,
  storedSize: stored?.size ?? null,
  modifiedAt: stored?.modifiedAt ?? null,
})
