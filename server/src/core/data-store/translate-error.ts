import {
  MissingDataError,
  NoSpaceError,
  StoreUnavailableError,
  TooLargeForStoreError,
} from '../../data/backend/backend.ts'
import * as errors from '../../domain/errors.ts'
import { fileNotFound } from '../../domain/not-found-errors.ts'

/** Translates a failure of the data store to an error for the client. Other errors are returned unchanged. */
export function translateDataStoreError(error: unknown): unknown {
  if (error instanceof MissingDataError) return fileNotFound(error)
  if (error instanceof NoSpaceError) return errors.noSpace(error)
  if (error instanceof TooLargeForStoreError) return errors.fileTooBig(error.limit)
  if (error instanceof StoreUnavailableError) return errors.unavailable('the file store', error)
  return error
}
