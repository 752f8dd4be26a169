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
export const userNotFound = errorFactory('user_not_found', 'user not found')
export const tokenNotFound = errorFactory('token_not_found', 'token not found: it may have been revoked')
export const sessionNotFound = errorFactory('session_not_found', 'session not found: it may have ended')
export const webhookNotFound = errorFactory(
  'webhook_not_found',
  'webhook not found: it may have been removed',
)
export const pushSubscriptionNotFound = errorFactory(
  'push_subscription_not_found',
  'push subscription not found: it may have ended',
)
export const deliveryNotFound = errorFactory(
  'delivery_not_found',
  'delivery not found: it may have been deleted after its retention',
)
export const codeNotFound = errorFactory(
  'code_not_found',
  'the code is unknown, used or expired: start the login again',
)
export const archiveEmpty = errorFactory('archive_empty', 'the upload has no file to archive')
