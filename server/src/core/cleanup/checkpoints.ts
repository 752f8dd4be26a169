import type { Service } from '../service.ts'

/** Batches between two checkpoints: each changes some hundred pages. */
const batchesPerCheckpoint = 2

/**
 * Makes a checkpoint of the database before some of the rests. Without them, one commit of many makes a checkpoint of
 * thousands of pages, which requests wait for.
 */
export function checkpointsBefore(
  rest: () => Promise<void>,
  { store, log }: Pick<Service, 'store' | 'log'>,
): () => Promise<void> {
  let batches = 0
  return async () => {
    batches += 1
    if (batches % batchesPerCheckpoint === 0)
      // The next commit with a long log tries again, as it does without this.
      await logFailure(log, store.checkpoint())
    await rest()
  }
}

/** Removes the texts of deleted rows from the log of the database. If it is in use, the next cleanup tries again. */
export const removeDeletedTexts = ({ store, log }: Pick<Service, 'store' | 'log'>): Promise<void> =>
  logFailure(log, store.truncateLog())

const logFailure = (log: Service['log'], checkpoint: Promise<void>): Promise<void> =>
  checkpoint.catch((error: unknown) => {
    log.debug({ err: error }, 'checkpoint failed')
  })
