import type { FastifyReply, FastifyRequest } from 'fastify'
import { headers as names } from '@svc/contract'
import type { Checksum, TrailingChecksum } from '../../core/resumable/part-checksum.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import { invalidRequest, unsupportedVersion } from '../../domain/errors.ts'
import { isPartial } from '../../domain/files/partial-file.ts'
import { headerOf, parseBytes } from './part-request.ts'

/** Version of the tus protocol, which has separate endpoints and statuses. */
export const version = '1.0.0'

export const extensions =
  'creation,creation-with-upload,creation-defer-length,termination,expiration,checksum,checksum-trailer,concatenation'

export const checksumAlgorithms = ['md5', 'sha1', 'sha256', 'sha512'] as const

/** @throws ServiceError `unsupported_version` */
export function checkVersion({
  request,
  reply,
}: {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}): object {
  reply.header('tus-resumable', version)
  if (headerOf(request, 'tus-resumable') !== version) throw unsupportedVersion(version)
  return {}
}

/**
 * A number of bytes in a header.
 * @throws ServiceError `invalid_request` unless it is a safe integer
 */
export function bytesIn(request: FastifyRequest, name: string): number | undefined {
  const value = headerOf(request, name)
  if (value === undefined) return undefined
  const bytes = parseBytes(value)
  if (bytes === undefined) throw invalidRequest(`${name} must be a number of bytes`)
  return bytes
}

/**
 * The length of a new file; null when it is deferred.
 * @throws ServiceError `invalid_request`
 */
export function declaredLength(request: FastifyRequest): number | null {
  const length = bytesIn(request, 'upload-length')
  const deferred = headerOf(request, 'upload-defer-length')
  if (deferred !== undefined && deferred !== '1') throw invalidRequest('upload-defer-length must be 1')
  if ((length === undefined) === (deferred === undefined))
    throw invalidRequest('send either Upload-Length or Upload-Defer-Length: 1')
  return length ?? null
}

/** A part of a file that is sent in parallel to others, or the file that consists of such parts. */
export type Concatenation =
  { readonly kind: 'partial' } | { readonly kind: 'final'; readonly parts: readonly NamedPart[] }

/** A partial upload as its URL names it. */
export interface NamedPart {
  /** Id of the upload, or its alias in any case. */
  readonly upload: string
  readonly id: string
}

/**
 * The header `Upload-Concat`: `partial`, or `final;` and the URLs or paths of partial uploads.
 * @throws ServiceError `invalid_request`
 */
export function concatenationIn(request: FastifyRequest): Concatenation | undefined {
  const value = headerOf(request, 'upload-concat')
  if (value === undefined) return undefined
  if (value === 'partial') return { kind: 'partial' }
  const [, urls] = /^final;(.*)$/.exec(value) ?? []
  const parts = urls?.split(' ').filter((url) => url !== '')
  if (parts === undefined || parts.length === 0)
    throw invalidRequest('Upload-Concat must be `partial`, or `final;` and the URLs of partial uploads')
  if (headerOf(request, 'upload-length') !== undefined)
    throw invalidRequest('a final upload has the length of its parts: send no Upload-Length')
  return { kind: 'final', parts: parts.map(partIn) }
}

/** The partial upload with a URL, also below the path prefix of the service. */
function partIn(url: string): NamedPart {
  const { pathname } = URL.parse(url, 'http://service') ?? { pathname: '' }
  const [, upload, id] = /\/tus\/([^/]+)\/([^/]+)$/.exec(pathname) ?? []
  if (upload === undefined || id === undefined) throw foreignPart()
  return { upload, id }
}

export const foreignPart = () => invalidRequest('Upload-Concat must name partial uploads of the same upload')

/**
 * The checksum of a part: in a header, or in the trailer that the header `Trailer` announces.
 * @throws ServiceError `invalid_request` for an unsupported algorithm or an invalid digest
 */
export function checksumIn(request: FastifyRequest): Checksum | TrailingChecksum | undefined {
  const value = headerOf(request, checksumName)
  const isTrailing = (headerOf(request, 'trailer') ?? '')
    .toLowerCase()
    .split(',')
    .some((name) => name.trim() === checksumName)
  if (!isTrailing) return value === undefined ? undefined : parseChecksum(value)
  if (value !== undefined)
    throw invalidRequest('send Upload-Checksum as a header or as a trailer, not as both')
  return { algorithms: checksumAlgorithms, read: () => parseChecksum(trailerOf(request)) }
}

const checksumName = 'upload-checksum'

/** Proxies may leave out trailers. A part without its announced checksum must not count as verified. */
function trailerOf({ raw }: FastifyRequest): string {
  const value = raw.trailers[checksumName]
  if (value === undefined) throw invalidRequest('the announced trailer Upload-Checksum is missing')
  return value
}

function parseChecksum(value: string): Checksum {
  const [name = '', encoded = '', ...rest] = value.split(' ')
  const algorithm = checksumAlgorithms.find((known) => known === name)
  if (algorithm === undefined)
    throw invalidRequest(`the algorithms of Upload-Checksum are ${checksumAlgorithms.join(', ')}`)
  const digest = parseBase64(encoded)
  if (digest === undefined || rest.length > 0)
    throw invalidRequest('Upload-Checksum must be an algorithm and a base64 digest')
  return { algorithm, digest }
}

/**
 * Names and values of `Upload-Metadata`.
 * @throws ServiceError `invalid_request`
 */
export function metadataIn(request: FastifyRequest): ReadonlyMap<string, string> {
  const pairs = (headerOf(request, 'upload-metadata') ?? '').split(',').filter((pair) => pair.trim() !== '')
  return new Map(
    pairs.map((pair) => {
      const [name = '', encoded = '', ...rest] = pair.trim().split(' ')
      const value = parseBase64(encoded)
      if (name === '' || value === undefined || rest.length > 0)
        throw invalidRequest('Upload-Metadata must be pairs of a name and a base64 value')
      return [name, value.toString('utf8')]
    }),
  )
}

function parseBase64(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** Sets the headers with the offset and the expiry of a file. */
export function setProgressHeaders(reply: FastifyReply, { file, received, expireAt }: ResumableState): void {
  reply.headers({
    'upload-offset': String(received),
    ...(expireAt !== null && { 'upload-expires': new Date(expireAt).toUTCString() }),
    [names.fileId]: file.id,
  })
}

/** Sets the headers with the length and the metadata of a file. */
export function setFileHeaders(reply: FastifyReply, { file, size }: ResumableState): void {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  const reference = file.reference === null ? [] : [`reference ${encode(file.reference)}`]
  reply.headers({
    ...(size === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(size) }),
    'upload-metadata': [`fileName ${encode(file.fileName)}`, ...reference].join(','),
    ...(isPartial(file) && { 'upload-concat': 'partial' }),
  })
}
