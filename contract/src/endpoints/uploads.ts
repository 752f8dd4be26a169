import * as Type from 'typebox'
import { limits } from '../base/limits.ts'
import { Download } from '../resources/activity.ts'
import { pageOf, pageQuery } from '../resources/page.ts'
import { LinkMail, LinkMailResult } from '../resources/link-mail.ts'
import { endpoint, json, eventStreamTimeout, text } from './endpoint.ts'
import { QuickUploadQuery, Upload, UploadChanges, UploadOptions } from '../resources/upload.ts'
import { changeErrors, expectedUserHeader, jsonErrors, passwordErrors, visitorErrors } from './errors.ts'

const tag = 'Uploads'

const optionsErrors = [
  ...changeErrors,
  'invalid_ttl',
  'infinite_ttl',
  'option_disabled',
  'option_required',
  'anonymous_refused',
  'address_refused',
  'unavailable',
  'budget_reached',
  'no_space',
] as const

const bytesErrors = [
  'upload_aborted',
  'missing_file',
  'invalid_file_name',
  'not_encrypted',
  'file_too_big',
  'quota_reached',
] as const

/** The status is sent with the link, before the stream ends. */
const streamDescription =
  ' With `stream=true` the link is sent at once, and the response ends when the file has been downloaded. If no recipient connects ' +
  'in time or the stream fails, a line with the reason follows, the connection is closed before the end of the response (its ' +
  'last chunk is missing), and the upload is removed.'

export const quickUpload = endpoint({
  method: 'POST',
  path: '/',
  chain: 'token',
  tag,
  summary: 'Create an upload with one file or several',
  description:
    'The response is the download URL and a newline, for each part `file` of the form in their order; the headers `X-UploadID` and `X-UploadToken` ' +
    'have the id and the token of the upload. Errors are plain text, too. If a file fails, the whole upload is removed. ' +
    'Example: `curl -F file=@FILE -F file=@OTHER URL`. A stream has one file.' +
    streamDescription,
  query: QuickUploadQuery,
  body: { type: 'multipart/form-data', field: 'file' },
  response: text,
  errors: [
    ...optionsErrors,
    ...bytesErrors,
    'invalid_request',
    'invalid_multipart',
    'unsupported_media_type',
    'too_many_files',
  ],
  errorFormat: 'text',
})

export const quickUploadRaw = endpoint({
  method: 'PUT',
  path: '/{filename}',
  chain: 'token',
  tag,
  summary: 'Create an upload with one file as the raw body',
  description: 'Example: `curl -T FILE URL/`. File names must not be names of routes.' + streamDescription,
  query: QuickUploadQuery,
  body: { type: 'application/octet-stream' },
  response: text,
  errors: [...optionsErrors, ...bytesErrors, 'invalid_request', 'method_not_allowed'],
  errorFormat: 'text',
})

export const createUpload = endpoint({
  method: 'POST',
  path: '/upload',
  chain: 'token',
  tag,
  summary: 'Create an upload',
  description:
    'Only this response has `uploadToken`, which allows adding and removing files and removing the upload.',
  requestHeaders: expectedUserHeader,
  body: json(UploadOptions),
  bodyOptional: true,
  response: json(Upload),
  errors: [
    ...optionsErrors,
    'other_user',
    ...jsonErrors,
    'invalid_file_name',
    'too_many_files',
    'invalid_alias',
    'alias_taken',
  ],
})

export const getUpload = endpoint({
  method: 'GET',
  path: '/upload/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Show an upload and its files',
  description:
    'By its id or alias. With the upload token and for the owner, unfinished files have offsets; the owner and admins also see the alias and the id of the owner.',
  response: json(Upload),
  errors: [...visitorErrors, ...passwordErrors, 'upload_not_found'],
})

export const changeUpload = endpoint({
  method: 'PATCH',
  path: '/upload/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Change the alias of an upload',
  description:
    'For the owner, the upload token and admins. Anyone can guess an alias. The earlier alias leads nowhere and stays reserved for the ' +
    `upload for ${String(limits.aliasHoldDays)} days.`,
  body: json(UploadChanges),
  response: json(Upload),
  errors: [
    ...changeErrors,
    ...jsonErrors,
    'upload_not_found',
    'invalid_alias',
    'alias_taken',
    'budget_reached',
    'no_space',
    'unavailable',
  ],
})

export const listDownloads = endpoint({
  method: 'GET',
  path: '/upload/{uploadID}/activity',
  chain: 'token',
  tag,
  summary: 'List the downloads of an upload',
  description:
    'For the upload token, the owner and admins: the newest 1,000 downloads, which are listed within seconds of their end. For an upload that a request has received, the request token replaces the upload token: its sender gets 403.',
  query: Type.Object(pageQuery),
  response: json(pageOf(Download)),
  errors: [...changeErrors, 'upload_not_found', 'invalid_request', 'invalid_cursor'],
})

export const mailLink = endpoint({
  method: 'POST',
  path: '/upload/{uploadID}/mail',
  chain: 'token',
  tag,
  summary: 'Send the link of an upload by email',
  description:
    'For the account that owns the upload, with its session or a token of the scope `manage`, where `feature_mail` is `enabled`. The messages are sent after the ' +
    'response, and again after failures. Their addresses are deleted as soon as they are sent or given up.',
  body: json(LinkMail),
  response: json(LinkMailResult),
  errors: [
    ...changeErrors,
    ...jsonErrors,
    'upload_not_found',
    'missing_file',
    'key_required',
    'mail_limit_reached',
    'no_space',
  ],
})

export const previewLink = endpoint({
  method: 'GET',
  path: '/s/{uploadID}',
  chain: 'standard',
  tag,
  summary: 'Open the page of an upload by its id or alias, with tags for previews of the link',
  description:
    'An HTML document that redirects to `/#/?id={uploadID}`. Its OpenGraph and Twitter tags have the name of the service, and the number ' +
    'and the size of the files; the name of the file if it is the only one. Uploads with a password show neither, and encrypted ones no name. It ' +
    'counts as no download.',
  response: { type: 'text/html' },
  otherStatuses: { 404: 'The upload does not exist.' },
  errors: ['unavailable'],
})

export const removeUpload = endpoint({
  method: 'DELETE',
  path: '/upload/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Remove an upload with all its files',
  description:
    'For the upload token, the owner and admins. The links stop working at once, and cleanup deletes the data. In a removable upload, others remove single files.',
  response: text,
  errors: [...changeErrors, 'upload_not_found'],
})

export const streamUploadEvents = endpoint({
  method: 'GET',
  path: '/uploads/events',
  chain: 'standard',
  tag,
  summary: 'Learn of changes of uploads as they happen',
  description:
    'Server-sent events (HTML standard), whose data is `{"uploadID": "…"}`: request the upload to see what has changed. An upload with a ' +
    'password has no events, as one that does not exist, and neither has one that a request has received. Bytes that arrive are not a change; a file that is complete is one.',
  query: Type.Object({
    id: Type.Array(Type.String({ minLength: 1, maxLength: limits.idLength }), {
      minItems: 1,
      maxItems: limits.watchedUploads,
      description: 'An id of an upload, not its alias; repeated for several.',
    }),
    wait: eventStreamTimeout('Seconds after which the stream ends.'),
  }),
  response: { type: 'text/event-stream' },
  errors: ['invalid_request', 'too_many_connections', 'unavailable'],
})
