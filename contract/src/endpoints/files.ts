import * as Type from 'typebox'
import { bytes, endpoint, json, text } from '../endpoint.ts'
import { File } from '../resources/file.ts'
import { refusedChange, refusedPassword, refusedVisitor } from './refusals.ts'

const tag = 'Files'

const refusedFile = [
  ...refusedChange,
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
] as const

const refusedDownload = [
  ...refusedVisitor,
  ...refusedPassword,
  'upload_not_found',
  'file_not_found',
  'service_worker_refused',
  'bot_refused',
  'download_in_progress',
] as const

const downloadQuery = Type.Object({
  dl: Type.Optional(Type.String({ description: '`1` asks the browser to save instead of show.' })),
})

const stored =
  'One range is answered with 206; several are answered whole. Validators are the `ETag` (the md5) and `Last-Modified`. ' +
  'The file of a one-shot upload can be downloaded once: ranges and validators do not count there, HEAD consumes nothing.'

export const addFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Add a file to an upload',
  body: { type: 'multipart/form-data', field: 'file' },
  answer: json(File),
  refusals: [...refusedFile, 'too_many_files'],
})

export const addDeclaredFile = endpoint({
  method: 'POST',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Send a file that was declared when the upload was created',
  body: { type: 'multipart/form-data', field: 'file' },
  answer: json(File),
  refusals: [...refusedFile, 'file_not_found', 'file_not_missing'],
})

export const removeFile = endpoint({
  method: 'DELETE',
  path: '/file/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Remove a file',
  description: 'Anyone may remove files of a removable upload.',
  answer: text,
  refusals: [...refusedChange, ...refusedPassword, 'upload_not_found', 'file_not_found'],
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
  answer: bytes,
  redirects: redirected,
  refusals: [...refusedDownload, 'range_not_satisfiable'],
})

export const downloadArchive = endpoint({
  method: 'GET',
  download: true,
  path: '/archive/{uploadID}/{filename}',
  chain: 'token',
  tag,
  summary: 'Download all files of an upload as a zip archive',
  description: 'Length and bytes are known before the first is sent, so ranges work as for a file.',
  query: downloadQuery,
  answer: { type: 'application/zip' },
  redirects: redirected,
  refusals: [
    ...refusedDownload,
    'invalid_archive_name',
    'archive_of_stream',
    'archive_empty',
    'range_not_satisfiable',
  ],
})

export const sendStream = endpoint({
  method: 'POST',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: 'Streams',
  summary: 'Pipe a file to whoever downloads it; waits for the downloader',
  body: { type: 'multipart/form-data', field: 'file' },
  answer: json(File),
  refusals: [...refusedFile, 'file_not_found', 'file_not_missing', 'stream_timeout'],
})

export const cancelStream = endpoint({
  method: 'DELETE',
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: 'Streams',
  summary: 'Cancel a stream',
  answer: text,
  refusals: [...refusedChange, ...refusedPassword, 'upload_not_found', 'file_not_found'],
})

export const downloadStream = endpoint({
  method: 'GET',
  download: true,
  path: '/stream/{uploadID}/{fileID}/{filename}',
  chain: 'token',
  tag: 'Streams',
  summary: 'Download a file while it is being sent',
  query: downloadQuery,
  answer: bytes,
  refusals: refusedDownload,
})
