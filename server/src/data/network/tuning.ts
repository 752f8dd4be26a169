import type { Clock } from '../../domain/clock.ts'
import type { Random } from '../../domain/ids.ts'
import type { RetryPolicy } from './retry-policy.ts'

export interface StoreSurroundings {
  readonly clock: Clock
  readonly random: Random
}

/** What tests make smaller. */
export interface NetworkStoreTuning {
  readonly patience?: RetryPolicy
  /** Milliseconds without a word from the store. */
  readonly silence?: number
  /** Bytes of parts that all uploads share, before parts get smaller. */
  readonly shared?: number
  /** Pieces of unfinished files, side by side, that are made one. */
  readonly run?: number
}

export const usualShared = 256 * 1024 * 1024
