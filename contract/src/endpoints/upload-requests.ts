import * as Type from 'typebox'
import { endpoint, json, text } from './endpoint.ts'
import { changeErrors, expectedUserHeader, jsonErrors, passwordErrors, visitorErrors } from './errors.ts'
import { pageOf, pageQuery } from '../resources/page.ts'
import {
  NewUploadRequest,
  OpenUploadRequest,
  SenderUploadOptions,
  UploadRequest,
  UploadRequestUpdate,
} from '../resources/upload-request.ts'
import { Upload } from '../resources/upload.ts'

const tag = 'Upload requests'

const ownerDescription =
  'For the account that owns the request, its request token (`X-RequestToken`) and admins.'
const changeDescription = 'For the account that owns the request, and its request token (`X-RequestToken`).'

const listErrors = [...changeErrors, 'invalid_request', 'invalid_cursor'] as const
const settingErrors = [
  ...changeErrors,
  ...jsonErrors,
  'invalid_ttl',
  'infinite_ttl',
  'option_disabled',
  'option_required',
  'unavailable',
  'budget_reached',
  'no_space',
] as const

export const createRequest = endpoint({
  method: 'POST',
  path: '/requests',
  chain: 'token',
  tag,
  summary: 'Create an upload request',
  description:
    'Only this response has `requestToken`, with which the request is managed without an account. The link for senders is `/#/request?id={requestID}`, ' +
    'with `&key=` and the fingerprint of the recipient if there is one.',
  requestHeaders: expectedUserHeader,
  body: json(NewUploadRequest),
  response: json(UploadRequest),
  errors: [
    ...settingErrors,
    'other_user',
    'anonymous_refused',
    'address_refused',
    'too_many_upload_requests',
  ],
})

export const listRequests = endpoint({
  method: 'GET',
  path: '/requests',
  chain: 'token',
  tag,
  summary: 'List your upload requests',
  description: 'With a session, or a user token of the scope `read`. Closed requests are listed, too.',
  query: Type.Object({
    ...pageQuery,
    all: Type.Optional(Type.Boolean({ description: 'Those of all users and guests, for admins.' })),
  }),
  response: json(pageOf(UploadRequest)),
  errors: listErrors,
})

export const getRequest = endpoint({
  method: 'GET',
  path: '/requests/{requestID}',
  chain: 'token',
  tag,
  summary: 'Show an upload request to its owner',
  description: ownerDescription,
  response: json(UploadRequest),
  errors: [...changeErrors, 'request_not_found'],
})

export const updateRequest = endpoint({
  method: 'PATCH',
  path: '/requests/{requestID}',
  chain: 'token',
  tag,
  summary: 'Change or close an upload request',
  description: `${changeDescription} A closed request refuses the next upload and keeps what it has received.`,
  body: json(UploadRequestUpdate),
  response: json(UploadRequest),
  errors: [...settingErrors, 'request_not_found'],
})

export const removeRequest = endpoint({
  method: 'DELETE',
  path: '/requests/{requestID}',
  chain: 'token',
  tag,
  summary: 'Remove an upload request with all uploads that it has received',
  description: ownerDescription,
  response: text,
  errors: [...changeErrors, 'request_not_found'],
})

export const listRequestUploads = endpoint({
  method: 'GET',
  path: '/requests/{requestID}/uploads',
  chain: 'token',
  tag,
  summary: 'List the uploads that a request has received',
  description: `${ownerDescription} Sorted by date; each has the name of its sender, and its files with sizes and hashes.`,
  query: Type.Object(pageQuery),
  response: json(pageOf(Upload)),
  errors: [...listErrors, 'request_not_found'],
})

export const showRequest = endpoint({
  method: 'GET',
  path: '/request/{requestID}',
  chain: 'token',
  tag,
  summary: 'Show an upload request to a sender',
  description: 'An expired or removed request is not found.',
  response: json(OpenUploadRequest),
  errors: [...visitorErrors, ...passwordErrors, 'request_not_found'],
})

export const sendToRequest = endpoint({
  method: 'POST',
  path: '/request/{requestID}/upload',
  chain: 'token',
  tag,
  summary: 'Create an upload for an upload request',
  description:
    'The upload belongs to the owner of the request. Only this response has `uploadToken`, with which the sender adds files as to any upload, and ' +
    'reads the receipt: the upload with the sizes and hashes of its files. Other senders and people with the link of the request cannot read it.',
  body: json(SenderUploadOptions),
  bodyOptional: true,
  response: json(Upload),
  errors: [
    ...changeErrors,
    ...passwordErrors,
    ...jsonErrors,
    'address_refused',
    'request_not_found',
    'request_closed',
    'request_full',
    'extension_refused',
    'invalid_file_name',
    'too_many_files',
    'file_too_big',
    'option_required',
    'budget_reached',
    'no_space',
  ],
})
