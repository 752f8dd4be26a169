import { ApiError, isTransient, type RetryPolicy } from '@svc/sdk'
import type { Progress } from '../output/progress.ts'
import { errorMessage } from '../errors/error-message.ts'
import type { Program } from '../program/program.ts'
import { createGarbageCollection } from './garbage-collection.ts'

/** The context of every transfer of a command, in either direction. */
export interface TransferContext {
  readonly signal: AbortSignal
  readonly retryPolicy: RetryPolicy
  /** @param bytes transferred bytes; negative when an attempt restarts */
  readonly onBytes: (bytes: number) => void
}

/** Unlike a page, svc waits for the next hour when a budget is used up. */
const isRetryable = (error: unknown): boolean =>
  isTransient(error) || (error instanceof ApiError && error.code === 'budget_reached')

/** @param next the action after the delay: “trying again” */
export function createTransferContext(
  { clock, interrupted: signal }: Pick<Program, 'clock' | 'interrupted'>,
  progress: Progress,
  { retries, next }: { readonly retries: number; readonly next: string },
): TransferContext {
  const tidy = createGarbageCollection()
  const onInterruption = (error: unknown, delay: number) => {
    progress.warn(`${errorMessage(error)}; ${next} in ${String(Math.ceil(delay / 1000))} s`)
  }
  const wait = (ms: number) => clock.sleep(ms, signal)
  return {
    signal,
    retryPolicy: { retries, isRetryable, onInterruption, signal, wait },
    onBytes(bytes) {
      progress.add(bytes)
      tidy(bytes)
    },
  }
}
