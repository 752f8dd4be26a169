import { MissingDataError, NoSpaceError } from './backend.ts'
import { hasCode } from './file-calls.ts'

export const missing = (key: string, cause?: unknown) =>
  new MissingDataError(`nothing is stored under ${key}`, { cause })

/** Throws what an error of the file system means. */
export function refuse(error: unknown): never {
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    throw new NoSpaceError('the data directory is full', { cause: error })
  throw error
}
