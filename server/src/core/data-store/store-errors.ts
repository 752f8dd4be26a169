import {
  MissingDataError,
  NoSpaceError,
  StoreUnavailableError,
  TooLargeForStoreError,
} from '../../data/backend/backend.ts'
import * as errors from '../../domain/errors.ts'

/** What a failure of the data store means for whoever asked: a refusal, or the error as it is. */
export function storeErrorResponse(error: unknown): unknown {
  if (error instanceof MissingDataError) return errors.fileNotFound(error)
  if (error instanceof NoSpaceError) return errors.noSpace(error)
  if (error instanceof TooLargeForStoreError) return errors.fileTooBig(error.limit)
  if (error instanceof StoreUnavailableError) return errors.unavailable('the file store', error)
  return error
}
