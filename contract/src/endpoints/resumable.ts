import * as Type from 'typebox'
import { bytes, endpoint, json, none, partialBytes, partOffset } from './endpoint.ts'
import { limits } from '../base/limits.ts'
import { headers as names } from '../base/names.ts'
import { File } from '../resources/file.ts'
import { cancelErrors, partErrors, unfinishedErrors } from './errors.ts'

const tag = 'Resumable uploads'

const protocolDescription =
  'Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload-12). Errors are problem details (RFC 9457).'

const offsetHeader = { 'Upload-Offset': 'Number of bytes that are stored: the offset of the next part.' }
const completeHeader = { 'Upload-Complete': '`?1` when the file is complete, else `?0`.' }
const limitHeader = { 'Upload-Limit': '`max-size` and `max-age`, if limited.' }
const partHeaders = {
  'Upload-Complete': '`?1` when the file ends with this part, else `?0`.',
  'Upload-Length': 'Size of the whole file in bytes.',
  'Content-Digest': '`sha-256` or `sha-512` of this part. With a digest, an incomplete part is discarded.',
  'Upload-Draft-Interop-Version': '`8` requests interim responses (104).',
}

export const resumableOptions = endpoint({
  method: 'OPTIONS',
  path: '/resumable/{uploadID}',
  chain: 'standard',
  tag,
  summary: 'Get the capabilities and limits of resumable uploads',
  description: protocolDescription,
  response: none,
  success: 204,
  responseHeaders: { 'Accept-Patch': '`application/partial-upload`', ...limitHeader },
  errors: [],
})

export const resumableCreate = endpoint({
  method: 'POST',
  path: '/resumable/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Start a resumable file',
  description: `${protocolDescription} An interim response (104) has the current offset.`,
  query: Type.Object({
    fileName: Type.Optional(
      Type.String({ description: 'Name of the file; alternatively the filename of `Content-Disposition`.' }),
    ),
    reference: Type.Optional(Type.String({ maxLength: limits.referenceLength })),
    fileID: Type.Optional(Type.String({ description: 'Id of a declared file.' })),
  }),
  requestHeaders: partHeaders,
  body: bytes,
  bodyOptional: true,
  response: json(File),
  otherStatuses: { 201: 'Parts of the file are missing.' },
  responseHeaders: {
    ...completeHeader,
    ...offsetHeader,
    ...limitHeader,
    Location: 'URL to append parts to.',
    [names.fileId]: 'Id of the file.',
  },
  errors: [...unfinishedErrors, ...partErrors, 'too_many_files', 'invalid_file_name', 'stream_not_declared'],
  errorFormat: 'problem',
})

export const resumableHead = endpoint({
  method: 'HEAD',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Get the offset of an unfinished file; closes an older connection that still sends it',
  description: '`Upload-Offset` is where the next part begins. Stored bytes are never sent again.',
  response: none,
  success: 204,
  responseHeaders: {
    ...completeHeader,
    ...offsetHeader,
    ...limitHeader,
    'Upload-Length': 'Size of the whole file in bytes, if known.',
  },
  errors: unfinishedErrors,
  errorFormat: 'problem',
})

export const resumableAppend = endpoint({
  method: 'PATCH',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Append a part',
  description: 'The received bytes of an incomplete part are kept.',
  requestHeaders: {
    ...partHeaders,
    ...partOffset,
    'Upload-Complete': { description: partHeaders['Upload-Complete'], required: true, pattern: '^\\?[01]$' },
  },
  body: partialBytes,
  response: json(File),
  otherStatuses: { 204: 'Parts of the file are missing.' },
  responseHeaders: { ...completeHeader, ...offsetHeader },
  errors: [...unfinishedErrors, ...partErrors, 'offset_mismatch', 'unsupported_media_type'],
  errorFormat: 'problem',
})

export const resumableCancel = endpoint({
  method: 'DELETE',
  path: '/resumable/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Cancel an unfinished file or remove it',
  description: 'Removing a complete file requires the right to remove files.',
  response: none,
  success: 204,
  errors: [...unfinishedErrors, ...cancelErrors],
  errorFormat: 'problem',
})
