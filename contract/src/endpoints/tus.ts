import { endpoint, none, tusBytes } from '../endpoint.ts'
import { headers as names } from '../names.ts'
import { pieceErrors, unfinishedErrors } from './errors.ts'

const tag = 'Resumable uploads'

const fileErrors = [...unfinishedErrors, 'unsupported_version'] as const

const version = { 'Tus-Resumable': '`1.0.0`' }
const offset = { 'Upload-Offset': 'Bytes that are safely stored: where the next piece begins.' }
const progress = {
  ...version,
  ...offset,
  'Upload-Expires': 'When the unfinished file is given up without another piece.',
}
const pieceHeaders = {
  ...version,
  'Upload-Length': 'Bytes of the whole file.',
  'Upload-Checksum': 'Algorithm (`md5`, `sha1`, `sha256`, `sha512`) and digest in base64 of this piece.',
}

export const tusOptions = endpoint({
  method: 'OPTIONS',
  path: '/tus/{uploadID}',
  chain: 'standard',
  tag,
  summary: 'What is spoken of tus 1.0.0',
  response: none,
  success: 204,
  responseHeaders: {
    ...version,
    'Tus-Version': '`1.0.0`',
    'Tus-Extension': 'Extensions, separated by commas.',
    'Tus-Max-Size': 'Bytes that a file may have; absent without a limit.',
    'Tus-Checksum-Algorithm': 'Algorithms, separated by commas.',
  },
  errors: [],
})

export const tusCreate = endpoint({
  method: 'POST',
  path: '/tus/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Begin a file that comes in pieces (tus)',
  description:
    'With a body of `application/offset+octet-stream` its first piece comes along. `Upload-Metadata` may carry `fileName` ' +
    '(or `filename`), `reference`, and `fileID` for a file that was declared when the upload was created.',
  headers: {
    ...pieceHeaders,
    'Upload-Defer-Length': '`1`: the length comes later.',
    'Upload-Metadata': 'Pairs of a name and a value in base64.',
  },
  body: tusBytes,
  bodyOptional: true,
  response: none,
  success: 201,
  responseHeaders: { ...progress, Location: 'Where its pieces go.', [names.fileId]: 'Id of the file.' },
  errors: [
    ...fileErrors,
    ...pieceErrors,
    'too_many_files',
    'invalid_file_name',
    'stream_not_declared',
    'unsupported_media_type',
  ],
})

export const tusHead = endpoint({
  method: 'HEAD',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Where the file goes on (tus); an older connection that still sends it is cut',
  headers: version,
  response: none,
  responseHeaders: {
    ...progress,
    'Upload-Length': 'Bytes of the whole file, when they are known.',
    'Upload-Defer-Length': '`1` while they are not.',
    'Upload-Metadata': 'Name and reference of the file.',
  },
  errors: fileErrors,
})

export const tusPatch = endpoint({
  method: 'PATCH',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Append a piece (tus)',
  description:
    'What came of a piece that breaks off is kept, unless it carries a checksum. With its last byte the file is whole.',
  headers: { ...pieceHeaders, ...offset },
  body: tusBytes,
  response: none,
  success: 204,
  responseHeaders: { ...progress, [names.fileId]: 'Id of the file.' },
  errors: [...fileErrors, ...pieceErrors, 'offset_mismatch', 'unsupported_media_type'],
})

export const tusDelete = endpoint({
  method: 'DELETE',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Give a file up, or remove it (tus)',
  headers: version,
  response: none,
  success: 204,
  errors: fileErrors,
})

export const tusOverride = endpoint({
  method: 'POST',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'HEAD, PATCH or DELETE where a proxy lets only POST pass (tus)',
  headers: { 'X-HTTP-Method-Override': '`HEAD`, `PATCH` or `DELETE`', ...pieceHeaders, ...offset },
  body: tusBytes,
  bodyOptional: true,
  response: none,
  success: 204,
  responseHeaders: progress,
  errors: [...fileErrors, ...pieceErrors, 'offset_mismatch', 'unsupported_media_type'],
})
