import * as Type from 'typebox'
import { limits } from '../base/limits.ts'
import { bytes, endpoint, json, none, text } from './endpoint.ts'
import { File } from '../resources/file.ts'
import { changeErrors, passwordErrors, requestErrors, visitorErrors } from './errors.ts'

const tag = 'Files'

const fileErrors = [
  ...changeErrors,
  ...requestErrors,
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
  dl: Type.Optional(
    Type.String({ description: '`1` asks the browser to save the file instead of displaying it.' }),
  ),
})

const storedDescription =
  'A single range gets status 206; several ranges get the whole file. Validators are `ETag` (the md5) and `Last-Modified`. ' +
  'The file of an upload with `oneShot` or `maxDownloads` can be downloaded as many times as this option allows; ranges and validators are then ignored, and HEAD does not count. The manifest of an encrypted upload is no such file.'

const fileForm = { type: 'multipart/form-data', field: 'file' } as const

/** Files and streams share their endpoints: the upload decides whether a file is stored or streamed. */
const declaredErrors = [
  ...fileErrors,
  'file_not_found',
  'file_not_missing',
  'size_mismatch',
  'stream_timeout',
  'stream_broken',
  'unavailable',
] as const

const streamDescription =
  'In a stream upload the request waits for the recipient. The response follows when the last byte has been sent ' +
  'to the recipient; the file is then `removed`. If no recipient connects in time (504) or the stream fails (502), the file is `missing` again and can be sent again.'

export const addFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Add a file to an upload',
  description:
    'A form with one part `file`. The response follows when the file is stored. Files of a stream must be declared with the upload.',
  body: fileForm,
  response: json(File),
  errors: [...fileErrors, 'too_many_files', 'stream_not_declared'],
})

export const addDeclaredFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Send a declared file',
  description: streamDescription,
  body: fileForm,
  response: json(File),
  errors: declaredErrors,
})

export const removeFile = endpoint({
  method: 'DELETE',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Remove a file',
  description: 'Anyone can remove files of a removable upload.',
  response: text,
  errors: [...changeErrors, ...passwordErrors, 'upload_not_found', 'file_not_found'],
})

/** When a download redirects to a page or to another host. */
const redirectDescription =
  'To the download domain; or to the page of the upload, when a browser follows a link to a one-shot file or a stream, or when the web application has to decrypt the file.'

export const downloadFile = endpoint({
  method: 'GET',
  download: true,
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Download a file',
  description: storedDescription,
  query: downloadQuery,
  response: bytes,
  redirectDescription,
  errors: fileDownloadErrors,
})

export const browseFiles = endpoint({
  method: 'GET',
  download: true,
  path: '/file/{uploadID}/{filename}',
  chain: 'token',
  tag,
  summary: 'List the files of an upload in HTML, or download one by its name',
  description:
    'For programs that read directories, such as `wget -r` and the remote `http` of rclone: `/file/{uploadID}/` and paths that end in `/` are ' +
    'lists of links, with sizes and dates as nginx writes them. Other paths are files by their names; with equal names, the first. The others are ' +
    'in folders with their ids. A list counts as no download, and has only stored files. ' +
    storedDescription,
  query: downloadQuery,
  response: bytes,
  redirectDescription,
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
    'The archive always has the same bytes, so ranges work as for a file. Its validator is the `ETag`.',
  query: downloadQuery,
  response: { type: 'application/zip' },
  redirectDescription,
  errors: [
    ...downloadErrors,
    'invalid_archive_name',
    'archive_of_stream',
    'archive_empty',
    'range_not_satisfiable',
  ],
})

export const putPreview = endpoint({
  method: 'PUT',
  path: '/preview/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Add the preview of a stored file',
  description:
    `A small picture of the file: JPEG, PNG or WebP by its content, at most ${String(limits.previewBytes)} bytes and not larger than the file, for pages that show it. In an ` +
    'encrypted upload, it is encrypted as the file is. A file has at most one preview, which is never replaced. Streams and uploads with a ' +
    'download limit have none.',
  body: bytes,
  response: none,
  success: 204,
  errors: [
    ...changeErrors,
    'upload_not_found',
    'file_not_found',
    'anonymous_refused',
    'address_refused',
    'preview_refused',
    'preview_exists',
    'not_encrypted',
    'unsupported_media_type',
    'body_too_big',
    'upload_aborted',
    'no_space',
    'unavailable',
  ],
})

export const getPreview = endpoint({
  method: 'GET',
  download: true,
  path: '/preview/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Show the preview of a file',
  description:
    'For callers that may download the file. It counts as no download. The validator is the `ETag`; ranges are ignored. The preview of an encrypted ' +
    'file is encrypted with the same key.',
  response: bytes,
  redirectDescription: 'To the download domain.',
  errors: downloadErrors.filter((code) => code !== 'download_in_progress'),
})

const streams = 'Streams'

export const sendStream = endpoint({
  method: 'POST',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: streams,
  summary: 'Stream a file to its recipient',
  description: streamDescription,
  body: fileForm,
  response: json(File),
  errors: declaredErrors,
})

export const cancelStream = endpoint({
  method: 'DELETE',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: streams,
  summary: 'Cancel a stream and remove its file',
  description:
    'Ends the connections of the sender and of the recipient. It requires the right to remove files.',
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
    'A stream can be downloaded once. Without a declared size the length is unknown, and a stream that fails ends without the last chunk. ' +
    'Ranges and validators are ignored, and HEAD does not consume the stream. A file without a sender is not found.',
  query: downloadQuery,
  response: bytes,
  redirectDescription,
  errors: fileDownloadErrors,
})
