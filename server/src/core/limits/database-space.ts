import type { Logger } from 'pino'
import { ServiceError } from '../../domain/errors.ts'

/** Whether the database has space for changes, as far as changes have shown. */
export interface DatabaseSpace {
  isFull(): boolean
  /** Told of what failed, for whatever reason. */
  noticed(error: unknown): void
  /** Hands on what some work ends in, and notices why it failed. */
  watch<Result>(work: Promise<Result>): Promise<Result>
  /** A heartbeat was written. A small one may find room where nothing else does: only the second without a failure counts. */
  written(): void
}

const isFull = (error: unknown): boolean => error instanceof ServiceError && error.code === 'database_full'

export function databaseSpace(log: Logger): DatabaseSpace {
  let state: 'good' | 'full' | 'perhaps' = 'good'
  const noticed = (error: unknown) => {
    if (!isFull(error)) return
    if (state === 'good') log.error({ err: error }, 'the database has no space left: nothing can be changed')
    state = 'full'
  }
  return {
    isFull: () => state !== 'good',
    noticed,
    async watch(work) {
      try {
        return await work
      } catch (error) {
        noticed(error)
        throw error
      }
    },
    written() {
      if (state === 'perhaps') log.warn('the database has space again')
      state = state === 'full' ? 'perhaps' : 'good'
    },
  }
}

/** Does without a change that is of use and not needed, where the database has no space for it. @throws what else goes wrong */
export async function unlessFull(change: Promise<unknown>): Promise<void> {
  try {
    await change
  } catch (error) {
    if (!isFull(error)) throw error
  }
}
