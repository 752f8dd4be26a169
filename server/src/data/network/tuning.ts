import type { Clock } from '../../domain/clock.ts'
import type { Random } from '../../domain/ids.ts'
import type { RetryPolicy } from './retry-policy.ts'

export interface StoreDependencies {
  readonly clock: Clock
  readonly random: Random
}

/** Limits that tests reduce. */
export interface NetworkStoreTuning {
  readonly retryPolicy?: RetryPolicy
  /** Milliseconds without data from the store. */
  readonly idleTimeout?: number
  /** Bytes of buffers that all uploads share, before parts get smaller. */
  readonly sharedBytes?: number
  /** Bytes of the process for the parts of all uploads. */
  readonly memory?: number
  /** Adjacent parts of unfinished files that one merge combines. */
  readonly mergeCount?: number
}

export const defaultSharedBytes = 256 * 1024 * 1024
