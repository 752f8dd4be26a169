import type { Progress } from '../output/progress.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import type { RetryPolicy } from './retry.ts'
import { createGarbageCollection } from './garbage-collection.ts'

/** The context of every transfer of a command, in either direction. */
export interface TransferContext {
  readonly signal: AbortSignal
  readonly retrying: RetryPolicy
  /** @param bytes transferred bytes; negative when an attempt restarts */
  readonly onBytes: (bytes: number) => void
}

/** @param next the action after the delay: “trying again” */
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
