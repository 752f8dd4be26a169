import { bytesPattern, endpoint, none, partOffset, tusBytes } from './endpoint.ts'
import { headers as names } from '../base/names.ts'
import { cancelErrors, partErrors, unfinishedErrors } from './errors.ts'

const tag = 'Resumable uploads'

const fileErrors = [...unfinishedErrors, 'unsupported_version'] as const

const versionHeader = { 'Tus-Resumable': '`1.0.0`' }
const requiredVersion = {
  'Tus-Resumable': { description: '`1.0.0`', required: true, pattern: '^1\\.0\\.0$' },
} as const
const offsetHeader = { 'Upload-Offset': 'Number of bytes that are stored: the offset of the next part.' }
const progressHeaders = {
  ...versionHeader,
  ...offsetHeader,
  'Upload-Expires': 'Time at which the unfinished file expires without another part.',
}
const partHeaders = {
  ...requiredVersion,
  'Upload-Length': { description: 'Size of the whole file in bytes.', pattern: bytesPattern },
  'Upload-Checksum': {
    description:
      'Algorithm (`md5`, `sha1`, `sha256`, `sha512`) and base64 digest of this part. Also as a trailer that the header `Trailer` announces.',
    pattern: '^(md5|sha1|sha256|sha512) [A-Za-z0-9+/]*={0,2}$',
  },
} as const

export const tusOptions = endpoint({
  method: 'OPTIONS',
  path: '/tus/{uploadID}',
  chain: 'standard',
  tag,
  summary: 'Get the capabilities of the tus endpoint',
  description: 'tus 1.0.0: the versions, extensions and checksum algorithms of this server.',
  response: none,
  success: 204,
  responseHeaders: {
    ...versionHeader,
    'Tus-Version': '`1.0.0`',
    'Tus-Extension': 'Supported extensions, separated by commas.',
    'Tus-Max-Size': 'Maximum file size in bytes; absent without a limit.',
    'Tus-Checksum-Algorithm': 'Algorithms, separated by commas.',
  },
  errors: [],
})

export const tusCreate = endpoint({
  method: 'POST',
  path: '/tus/{uploadID}',
  chain: 'token',
  tag,
  summary: 'Start a resumable file (tus)',
  description:
    'A body of `application/offset+octet-stream` is the first part. The bytes of a final upload are copied before the response. `Upload-Metadata` can contain `fileName` ' +
    '(or `filename`), `reference`, and the `fileID` of a declared file.',
  requestHeaders: {
    ...partHeaders,
    'Upload-Concat':
      '`partial` for a part that is sent in parallel to others; `final;` and the URLs of such parts of this upload, separated by spaces, for the file that consists of them.',
    'Upload-Defer-Length': { description: '`1`: the length follows later.', pattern: '^1$' },
    'Upload-Metadata': 'Pairs of a name and a base64 value.',
  },
  body: tusBytes,
  bodyOptional: true,
  response: none,
  success: 201,
  responseHeaders: {
    ...progressHeaders,
    Location: 'URL to append parts to.',
    [names.fileId]: 'Id of the file.',
  },
  errors: [
    ...fileErrors,
    ...partErrors,
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
  summary: 'Get the offset of an unfinished file (tus); closes an older connection that still sends it',
  description: '`Upload-Offset` is where the next part begins. Stored bytes are never sent again.',
  requestHeaders: requiredVersion,
  response: none,
  responseHeaders: {
    ...progressHeaders,
    'Upload-Length': 'Size of the whole file in bytes, if known.',
    'Upload-Defer-Length': '`1` while the size is unknown.',
    'Upload-Metadata': 'Name and reference of the file.',
    'Upload-Concat': '`partial`, if it is one.',
  },
  errors: fileErrors,
})

export const tusPatch = endpoint({
  method: 'PATCH',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Append a part (tus)',
  description:
    'The received bytes of an incomplete part are kept, unless it has a checksum. The file is complete with its last byte.',
  requestHeaders: { ...partHeaders, ...partOffset },
  body: tusBytes,
  response: none,
  success: 204,
  responseHeaders: { ...progressHeaders, [names.fileId]: 'Id of the file.' },
  errors: [...fileErrors, ...partErrors, 'offset_mismatch', 'unsupported_media_type'],
})

export const tusDelete = endpoint({
  method: 'DELETE',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'Cancel an unfinished file or remove it (tus)',
  description: 'Removing a complete file requires the right to remove files.',
  requestHeaders: requiredVersion,
  response: none,
  success: 204,
  errors: [...fileErrors, ...cancelErrors],
})

export const tusOverride = endpoint({
  method: 'POST',
  path: '/tus/{uploadID}/{fileID}',
  chain: 'token',
  tag,
  summary: 'HEAD, PATCH or DELETE through a proxy that only allows POST (tus)',
  description:
    'tus 1.0.0: the header `X-HTTP-Method-Override` names the method. Everything else is as with the method itself.',
  requestHeaders: {
    'X-HTTP-Method-Override': {
      description: '`HEAD`, `PATCH` or `DELETE`',
      required: true,
      pattern: '^(HEAD|PATCH|DELETE)$',
    },
    ...requiredVersion,
    // Only `PATCH` reads these, so values are described and not restricted.
    'Upload-Length': 'For `PATCH`: size of the whole file in bytes.',
    'Upload-Checksum': 'For `PATCH`: algorithm and base64 digest of this part.',
    'Upload-Offset': 'For `PATCH`: the offset of the part.',
  },
  body: tusBytes,
  bodyOptional: true,
  response: none,
  success: 204,
  otherStatuses: { 200: 'The response to HEAD.' },
  responseHeaders: progressHeaders,
  errors: [...fileErrors, ...cancelErrors, ...partErrors, 'offset_mismatch', 'unsupported_media_type'],
})
