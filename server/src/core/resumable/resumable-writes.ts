import type { DataBackend, ResumableWrites } from '../../data/backend/backend.ts'

/**
 * The resumable writes of the data store.
 * @throws when the store does not support them
 */
export function resumableWrites({ resumable }: DataBackend): ResumableWrites {
  if (resumable === undefined) throw new Error('the data store does not support resumable uploads')
  return resumable
}
