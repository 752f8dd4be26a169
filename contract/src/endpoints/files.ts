import * as Type from 'typebox'
import { bytes, endpoint, json, text } from '../endpoint.ts'
import { File } from '../resources/file.ts'
import { changeErrors, passwordErrors, visitorErrors } from './errors.ts'

const tag = 'Files'

const fileErrors = [
  ...changeErrors,
  'upload_not_found',
  'invalid_multipart',
  'missing_file',
  'invalid_file_name',
  'not_encrypted',
  'upload_aborted',
  'address_refused',
  'anonymous_refused',
  'file_too_big',
  'quota_reached',
  'unsupported_media_type',
  'no_space',
  'budget_reached',
] as const

const downloadErrors = [
  ...visitorErrors,
  ...passwordErrors,
  'upload_not_found',
  'file_not_found',
  'service_worker_refused',
  'bot_refused',
  'download_in_progress',
] as const

const fileDownloadErrors = [...downloadErrors, 'range_not_satisfiable', 'stream_broken'] as const

const downloadQuery = Type.Object({
  dl: Type.Optional(Type.String({ description: '`1` asks the browser to save instead of show.' })),
})

const stored =
  'One range is answered with 206; several are answered whole. Validators are the `ETag` (the md5) and `Last-Modified`. ' +
  'The file of a one-shot upload can be downloaded once: ranges and validators do not count there, HEAD consumes nothing.'

const sentForm = { type: 'multipart/form-data', field: 'file' } as const

/** Files and streams share their doors: what the upload is decides how a file travels. */
const declaredErrors = [
  ...fileErrors,
  'file_not_found',
  'file_not_missing',
  'size_mismatch',
  'stream_timeout',
  'stream_broken',
  'unavailable',
] as const

const streamed =
  'In a stream upload the request waits for the recipient, and is answered when the last byte has been handed ' +
  'to the downloader; the file is then `removed`. If no recipient comes in time (504) or the stream breaks (502), it is `missing` again and can be sent anew.'

export const addFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Add a file to an upload',
  body: sentForm,
  response: json(File),
  errors: [...fileErrors, 'too_many_files', 'stream_not_declared'],
})

export const addDeclaredFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Send a file that was declared when the upload was created',
  description: streamed,
  body: sentForm,
  response: json(File),
  errors: declaredErrors,
})

export const removeFile = endpoint({
  method: 'DELETE',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Remove a file',
  description: 'Anyone may remove files of a removable upload.',
  response: text,
  errors: [...changeErrors, ...passwordErrors, 'upload_not_found', 'file_not_found'],
})

/** Where a download is another page or another host first. */
const redirected =
  'To the download domain, or to the page of the upload: for a browser that follows a link to something that can be had once, and for the web application where it has to decrypt.'

export const downloadFile = endpoint({
  method: 'GET',
  download: true,
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Download a file',
  description: stored,
  query: downloadQuery,
  response: bytes,
  redirects: redirected,
  errors: fileDownloadErrors,
})

export const downloadArchive = endpoint({
  method: 'GET',
  download: true,
  path: '/archive/{uploadID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Download all files of an upload as a zip archive',
  description:
    'Length and bytes are known before the first is sent, so ranges work as for a file. Its validator is the `ETag`.',
  query: downloadQuery,
  response: { type: 'application/zip' },
  redirects: redirected,
  errors: [
    ...downloadErrors,
    'invalid_archive_name',
    'archive_of_stream',
    'archive_empty',
    'range_not_satisfiable',
  ],
})

const streams = 'Streams'

export const sendStream = endpoint({
  method: 'POST',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: streams,
  summary: 'Stream a file to its recipient; waits for the recipient',
  description: streamed,
  body: sentForm,
  response: json(File),
  errors: declaredErrors,
})

export const cancelStream = endpoint({
  method: 'DELETE',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: streams,
  summary: 'Cancel a stream: both sides end, and the file is removed',
  response: text,
  errors: [...changeErrors, ...passwordErrors, 'upload_not_found', 'file_not_found'],
})

export const downloadStream = endpoint({
  method: 'GET',
  download: true,
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: streams,
  summary: 'Download a file while it is being sent',
  description:
    'Can be had once. Without a declared size the length is not known, and a stream that breaks ends without the last chunk. ' +
    'Ranges and validators do not count, HEAD takes nothing. A file without a sender is not found.',
  query: downloadQuery,
  response: bytes,
  redirects: redirected,
  errors: fileDownloadErrors,
})
