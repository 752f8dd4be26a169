import { MissingDataError, NoSpaceError } from './backend.ts'
import { hasCode } from './file-calls.ts'
import type { Shards } from './shards.ts'

export const missing = (key: string, cause?: unknown) =>
  new MissingDataError(`nothing is stored under ${key}`, { cause })

/** Throws what it means that a stored file cannot be opened. @throws MissingDataError, StoreUnavailableError */
export async function refuseMissing(error: unknown, key: string, places: Shards): Promise<never> {
  if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) throw error
  if (hasCode(error, 'ENOENT')) await places.requireDirectory()
  throw missing(key, error)
}

/** Throws what an error of the file system means. */
export function refuse(error: unknown): never {
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    throw new NoSpaceError('the data directory is full', { cause: error })
  throw error
}
