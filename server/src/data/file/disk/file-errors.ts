import { missingData, NoSpaceError, StoreUnavailableError } from '../../backend/backend.ts'
import { hasCode } from './file-calls.ts'

/**
 * Throws the error of the store for an error of opening a stored file.
 * @throws MissingDataError, StoreUnavailableError
 */
export async function throwOpenError(
  error: unknown,
  key: string,
  shards: { readonly requireDirectory: () => Promise<void> },
): Promise<never> {
  if (!hasCode(error, 'ENOENT', 'ELOOP', 'ENXIO')) throwStoreError(error)
  if (hasCode(error, 'ENOENT')) await shards.requireDirectory()
  throw missingData(key, error)
}

/** Damaged blocks of a file system: EBADMSG and EUCLEAN of Linux, which Node does not name. */
const damaged = ['Unknown system error -74', 'Unknown system error -117'] as const

/** Errors that may concern a single file or directory: damage, permissions, or another kind of file in its place. */
export const localDamage = ['EIO', 'EACCES', 'EPERM', 'ENOTDIR', ...damaged] as const

/**
 * A file system that is read-only, broken, without permission or disconnected, and too many open files: the client did not
 * cause these errors, and they may be temporary.
 */
const unavailable = ['EROFS', 'EACCES', 'EPERM', 'EIO', 'ESTALE', 'ENFILE', ...damaged] as const

/**
 * Throws the error of the store for an error of the file system.
 * @throws NoSpaceError, StoreUnavailableError
 */
export function throwStoreError(error: unknown): never {
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
