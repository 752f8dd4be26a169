import { setTimeout as wait } from 'node:timers/promises'
import { isSilence } from './client.ts'
import { mayPass } from './store-error.ts'

/** How often and how slowly something is tried again. */
export interface RetryPolicy {
  /** At least 1: the first one counts. */
  readonly tries: number
  /** Wait before the second try; doubled before each further one. */
  readonly firstWaitMs: number
}

/** A store that is away for six seconds is not noticed; one that is away for longer is, before most clients give up. */
export const retryPolicy: RetryPolicy = { tries: 6, firstWaitMs: 200 }

/** Tries that may end in silence: each of them takes long. */
const mostSilences = 3

/** For what can be done another time. */
export const hasty: RetryPolicy = { tries: 2, firstWaitMs: 100 }

/**
 * Does something that may be done twice, again and again while the store cannot be reached.
 * @param work is told which try it is, counted from 1
 * @throws the last error, or the reason of the signal
 */
export async function persist<Result>(
  work: (attempt: number) => Promise<Result>,
  { tries, firstWaitMs }: RetryPolicy,
  signal?: AbortSignal,
): Promise<Result> {
  let silences = 0
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      if (isSilence(error)) silences += 1
      if (!mayPass(error) || attempt >= tries || silences >= mostSilences) throw error
      await pause(firstWaitMs * 2 ** (attempt - 1), signal)
    }
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
