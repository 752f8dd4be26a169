import { MissingDataError, NoSpaceError, StoreUnavailableError } from '../backend/backend.ts'
import { hasCode } from './file-calls.ts'
import type { Shards } from './shards.ts'

export const missing = (key: string, cause?: unknown) =>
  new MissingDataError(`nothing is stored under ${key}`, { cause })

/** Throws what it means that a stored file cannot be opened. @throws MissingDataError, StoreUnavailableError */
export async function refuseMissing(error: unknown, key: string, places: Shards): Promise<never> {
  if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) refuse(error)
  if (hasCode(error, 'ENOENT')) await places.requireDirectory()
  throw missing(key, error)
}

/**
 * Of a file system that is read-only, broken or not ours to write to, a network's that was lost, and of too many open
 * files: none is anybody's fault who sends or fetches a file, and each may pass.
 */
const unavailable = ['EROFS', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENFILE'] as const

/** Throws what an error of the file system means. @throws NoSpaceError, StoreUnavailableError */
export function refuse(error: unknown): never {
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    throw new NoSpaceError('the data directory is full', { cause: error })
  if (hasCode(error, 'EMFILE'))
    throw new StoreUnavailableError(
      'too many files and connections are open: raise the limit (ulimit -n, or LimitNOFILE of systemd)',
      { cause: error },
    )
  if (hasCode(error, ...unavailable))
    throw new StoreUnavailableError('the data directory cannot be used', { cause: error })
  throw error
}
