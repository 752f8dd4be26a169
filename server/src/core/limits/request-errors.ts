import { errorFactory, ServiceError } from '../../domain/errors.ts'

// Errors of upload requests.

export const extensionRefused = (allowed: readonly string[]) =>
  new ServiceError(
    'extension_refused',
    `the request accepts only files with the extensions ${allowed.map((extension) => `.${extension}`).join(', ')}`,
  )
export const senderRequired = errorFactory(
  'option_required',
  'the request asks for your name: send it as sender',
)
export const wrongRequestPassword = () =>
  new ServiceError('wrong_credentials', 'this request is protected: send its password with the login svc', {
    headers: { 'www-authenticate': 'Basic realm="svc", charset="UTF-8"' },
  })
export const anonymousRequestRefused = errorFactory(
  'anonymous_refused',
  'only signed-in users can create upload requests on this server: sign in first',
)
export const requestNotFound = errorFactory(
  'request_not_found',
  'upload request not found: it may have expired or been removed',
)
export const tooManyUploadRequests = (max: number) =>
  new ServiceError(
    'too_many_upload_requests',
    `you have ${String(max)} upload requests already: remove some first`,
  )
export const requestClosed = errorFactory(
  'request_closed',
  'the upload request is closed: ask its owner to open it again',
)
export const placeTaken = errorFactory(
  'place_taken',
  'nothing arrived for this upload in time, and others have sent what the request accepts: ask its owner to raise its limits',
)
export const requestFull = errorFactory(
  'request_full',
  'the upload request has received as much as it accepts: ask its owner to raise its limits',
)
