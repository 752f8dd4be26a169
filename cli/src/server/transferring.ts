import type { Progress } from '../output/progress.ts'
import { reasonOf } from '../output/reasons.ts'
import type { Program } from '../program.ts'
import type { Retrying } from './attempts.ts'
import { createTidying } from './tidy-memory.ts'

/** What happens beside every transfer of a command, in either direction. */
export interface Transferring {
  readonly signal: AbortSignal
  readonly retrying: Retrying
  /** @param bytes that have gone or come; fewer than none where they have to once more */
  readonly onBytes: (bytes: number) => void
}

/** @param next what is done after a pause: “trying again” */
export function transferring(
  { clock, interrupted: signal }: Pick<Program, 'clock' | 'interrupted'>,
  progress: Progress,
  { retries, next }: { readonly retries: number; readonly next: string },
): Transferring {
  const tidy = createTidying()
  const onPause = (error: Error, seconds: number) => {
    progress.warn(`${reasonOf(error)}; ${next} in ${String(seconds)} s`)
  }
  return {
    signal,
    retrying: { clock, signal, retries, onPause },
    onBytes(bytes) {
      progress.add(bytes)
      tidy(bytes)
    },
  }
}
