import { errorFactory, ServiceError } from './errors.ts'

export const routeNotFound = (method: string, path: string) =>
  new ServiceError('not_found', `there is nothing at ${method} ${path}`)
export const uploadNotFound = errorFactory(
  'upload_not_found',
  'upload not found: it may have expired or been removed',
)
export const fileNotFound = errorFactory(
  'file_not_found',
  'file not found: it may have been downloaded or removed',
)
export const previewNotFound = errorFactory('file_not_found', 'the file has no preview')
export const archiveEmpty = errorFactory('archive_empty', 'the upload has no file to archive')
