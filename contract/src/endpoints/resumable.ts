import * as Type from 'typebox'
import { bytes, endpoint, json, none, partialBytes } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { headers as names } from '../names.ts'
import { File } from '../resources/file.ts'
import { pieceErrors, unfinishedErrors } from './errors.ts'

const tag = 'Resumable uploads'

const protocol =
  'Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload-12). Refusals are problem details (RFC 9457).'

const offset = { 'Upload-Offset': 'Bytes that are safely stored: where the next piece begins.' }
const complete = { 'Upload-Complete': '`?1` once the file is whole, else `?0`.' }
const limit = { 'Upload-Limit': '`max-size` and `max-age`, as far as there are limits.' }
const sent = {
  'Upload-Complete': '`?1` when the file ends with this piece, else `?0`.',
  'Upload-Length': 'Bytes of the whole file.',
  'Content-Digest': '`sha-256` or `sha-512` of this piece; a piece that breaks off counts for nothing then.',
  'Upload-Draft-Interop-Version': '`8`: interim answers (104) are wanted.',
}

export const resumableOptions = endpoint({
  method: 'OPTIONS',
  path: '/resumable/{uploadID}',
  chain: 'standard',
  tag,
  summary: 'That files may come in pieces here, and how big',
  description: protocol,
  response: none,
  success: 204,
  responseHeaders: { 'Accept-Patch': '`application/partial-upload`', ...limit },
  errors: [],
})

export const resumableCreate = endpoint({
  method: 'POST',
  path: '/resumable/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Begin a file that comes in pieces',
  description: `${protocol} An interim response (104) has the offset at which to continue. Answers 201 while pieces are missing.`,
  query: Type.Object({
    fileName: Type.Optional(Type.String({ description: 'Or the filename of `Content-Disposition`.' })),
    reference: Type.Optional(Type.String({ maxLength: limits.referenceLength })),
    fileID: Type.Optional(
      Type.String({ description: 'A file that was declared when the upload was created.' }),
    ),
  }),
  headers: sent,
  body: bytes,
  bodyOptional: true,
  response: json(File),
  responseHeaders: {
    ...complete,
    ...offset,
    ...limit,
    Location: 'Where its pieces go.',
    [names.fileId]: 'Id of the file.',
  },
  errors: [...unfinishedErrors, ...pieceErrors, 'too_many_files', 'invalid_file_name', 'stream_not_declared'],
})

export const resumableHead = endpoint({
  method: 'HEAD',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Where the file goes on; an older connection that still sends it is cut',
  response: none,
  success: 204,
  responseHeaders: {
    ...complete,
    ...offset,
    ...limit,
    'Upload-Length': 'Bytes of the whole file, when they are known.',
  },
  errors: unfinishedErrors,
})

export const resumableAppend = endpoint({
  method: 'PATCH',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Append a piece',
  description: 'What came of a piece that breaks off is kept. Answers 204 while pieces are missing.',
  headers: { ...sent, ...offset },
  body: partialBytes,
  response: json(File),
  responseHeaders: { ...complete, ...offset },
  errors: [...unfinishedErrors, ...pieceErrors, 'offset_mismatch', 'unsupported_media_type'],
})

export const resumableCancel = endpoint({
  method: 'DELETE',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Give a file up, or remove it',
  response: none,
  success: 204,
  errors: unfinishedErrors,
})
