import {
  MissingDataError,
  NoSpaceError,
  StoreUnavailableError,
  TooLargeForStoreError,
} from '../../data/backend/backend.ts'
import * as refusal from '../../domain/errors.ts'

/** What a failure of the data store means for whoever asked: a refusal, or the error as it is. */
export function refusalOfStore(error: unknown): unknown {
  if (error instanceof MissingDataError) return refusal.fileNotFound(error)
  if (error instanceof NoSpaceError) return refusal.noSpace(error)
  if (error instanceof TooLargeForStoreError) return refusal.fileTooBig(error.limit)
  if (error instanceof StoreUnavailableError) return refusal.unavailable('the file store', error)
  return error
}
