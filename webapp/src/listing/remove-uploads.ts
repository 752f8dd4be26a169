import { ApiError, createTaskQueue } from '@svc/sdk'

/** Maximum number of concurrent removals. */
const concurrency = 5

export interface RemovalResult {
  /** Ids of the uploads that no longer exist. */
  readonly removed: readonly string[]
  /** The first error, which stands for all. */
  readonly failed: number
  readonly error?: unknown
}

/** Removes uploads, a few at a time. A missing upload counts as removed; a failure does not stop the others. */
export async function removeUploads(
  ids: readonly string[],
  remove: (uploadID: string) => Promise<void>,
): Promise<RemovalResult> {
  const queue = createTaskQueue(concurrency)
  const attempt = async (id: string): Promise<unknown> => {
    try {
      await remove(id)
      return undefined
    } catch (error) {
      return error instanceof ApiError && error.code === 'upload_not_found' ? undefined : error
    }
  }
  const outcomes = await Promise.all(
    ids.map(
      (id) =>
        new Promise<unknown>((resolve) => {
          queue.add(async () => resolve(await attempt(id)))
        }),
    ),
  )
  const errors = outcomes.filter((error) => error !== undefined)
  return {
    removed: ids.filter((_, index) => outcomes[index] === undefined),
    failed: errors.length,
    ...(errors.length > 0 && { error: errors[0] }),
  }
}
