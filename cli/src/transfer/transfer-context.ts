import type { Progress } from '../output/progress.ts'
import { errorMessage } from '../core/error-message.ts'
import type { Program } from '../core/program.ts'
import type { RetryPolicy } from './retry.ts'
import { createGarbageCollection } from './garbage-collection.ts'

/** What happens beside every transfer of a command, in either direction. */
export interface TransferContext {
  readonly signal: AbortSignal
  readonly retrying: RetryPolicy
  /** @param bytes that have gone or come; fewer than none where they have to once more */
  readonly onBytes: (bytes: number) => void
}

/** @param next what is done after a pause: “trying again” */
export function createTransferContext(
  { clock, interrupted: signal }: Pick<Program, 'clock' | 'interrupted'>,
  progress: Progress,
  { retries, next }: { readonly retries: number; readonly next: string },
): TransferContext {
  const tidy = createGarbageCollection()
  const onRetry = (error: Error, seconds: number) => {
    progress.warn(`${errorMessage(error)}; ${next} in ${String(seconds)} s`)
  }
  return {
    signal,
    retrying: { clock, signal, retries, onRetry },
    onBytes(bytes) {
      progress.add(bytes)
      tidy(bytes)
    },
  }
}
