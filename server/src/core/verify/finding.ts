import type { FileStatus } from '@svc/contract'
import type { StoredKey } from '../../data/backend/inventory.ts'
import type { FileClaim } from '../../metadata/files/verification.ts'

/**
 * How database and data store can disagree about a file:
 * `lost`: the database has a file, the store no bytes of it; `wrong_size` and `wrong_hash`: the store has other bytes;
 * `orphaned`: the store has bytes, the database no file; `unfinished`: the store has parts of a write that never ended.
 */
export const findingKinds = ['lost', 'wrong_size', 'wrong_hash', 'orphaned', 'unfinished'] as const
export type FindingKind = (typeof findingKinds)[number]

export interface Finding {
  readonly kind: FindingKind
  /** Id of the file: the key of its data. */
  readonly file: string
  readonly upload: string | null
  /** Status of the file in the database; null when the database has no such file. */
  readonly status: FileStatus | null
  /** Bytes that the database expects, and those that can be read; null for none. */
  readonly expectedSize: number | null
  readonly storedSize: number | null
  /** Time of the last change in the store, in milliseconds since the epoch; null when the store has nothing. */
  readonly modifiedAt: number | null
}

/** What a file is to a verification: a removed upload takes its files along. */
export function standing(claim: FileClaim | undefined): FileStatus | 'unknown' {
  if (claim === undefined) return 'unknown'
  return claim.deletedAt !== null && claim.status !== 'deleted' ? 'removed' : claim.status
}

/** Compares what the database and the store have of one file. @returns undefined when they agree */
export function judge(
  claim: FileClaim | undefined,
  stored: StoredKey | undefined,
): Exclude<FindingKind, 'wrong_hash'> | undefined {
  const size = stored?.size ?? null
  const unfinished = stored?.unfinished === true ? 'unfinished' : undefined
  switch (standing(claim)) {
    // Its bytes are on their way, in or out: receiving and cleaning see to them.
    case 'uploading':
    case 'removed':
      return undefined
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
  claim: FileClaim | undefined,
  stored: StoredKey | undefined,
): Finding => ({
  kind,
  file: key,
  upload: claim?.uploadId ?? null,
  status: claim?.status ?? null,
  expectedSize: standing(claim) === 'uploaded' ? (claim?.fileSize ?? null) : null,
  storedSize: stored?.size ?? null,
  modifiedAt: stored?.modifiedAt ?? null,
})
