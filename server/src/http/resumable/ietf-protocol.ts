import type { FastifyReply, FastifyRequest } from 'fastify'
import { headers as names } from '@svc/contract'
import type { Config } from '../../config/config.ts'
import type { Checksum } from '../../core/resumable/part-checksum.ts'
import type { ResumableState } from '../../core/resumable/state.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { headerOf, parseBytes } from './part-request.ts'

/** The interop version of draft-ietf-httpbis-resumable-upload whose interim responses the server sends. */
const interopVersion = '8'

/** A structured field that is not an integer counts as absent (draft, "Offset" and "Length"). */
export function integerIn(request: FastifyRequest, name: string): number | undefined {
  const value = headerOf(request, name)
  return value === undefined ? undefined : parseBytes(value)
}

/** Whether the file ends with this part; undefined without a valid header. */
export function isLastPart(request: FastifyRequest): boolean | undefined {
  const value = headerOf(request, 'upload-complete')
  return value === '?1' || value === '?0' ? value === '?1' : undefined
}

const algorithms = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
] as const)

/**
 * The first supported digest (RFC 9530); others are ignored.
 * @throws ServiceError `invalid_request`
 */
export function digestIn(request: FastifyRequest): Checksum | undefined {
  const value = headerOf(request, 'content-digest')
  for (const member of value?.split(',') ?? []) {
    const [, name = '', encoded = ''] = /^\s*([a-z0-9-]+)=:([A-Za-z0-9+/]*={0,2}):\s*$/.exec(member) ?? []
    if (name === '') throw invalidRequest('Content-Digest must have algorithms with base64 digests')
    const algorithm = algorithms.get(name as 'sha-256' | 'sha-512')
    if (algorithm !== undefined) return { algorithm, digest: Buffer.from(encoded, 'base64') }
  }
  return undefined
}

/**
 * The value of `Upload-Limit`.
 * @param expireAt milliseconds; null without an expiry
 * @param now milliseconds
 */
export function limitOf({ maxFileSize }: Config, expireAt: number | null = null, now = 0): string {
  const age = expireAt === null ? [] : [`max-age=${String(Math.max(0, Math.floor((expireAt - now) / 1000)))}`]
  // A structured field needs a member.
  const size = maxFileSize < 0 ? Number.MAX_SAFE_INTEGER : maxFileSize
  return [`max-size=${String(Math.min(size, 999_999_999_999_999))}`, ...age].join(', ')
}

/** Sets the headers with the offset of a file and whether it is complete. */
export function setStateHeaders(reply: FastifyReply, { file, received, size }: ResumableState): void {
  reply.headers({
    'upload-offset': String(received),
    'upload-complete': file.status === 'uploaded' ? '?1' : '?0',
    ...(size !== null && { 'upload-length': String(size) }),
    [names.fileId]: file.id,
  })
}

/** Sends interim responses (104) to clients that request them. */
export function interimResponses(request: FastifyRequest, reply: FastifyReply) {
  const isRequested = headerOf(request, 'upload-draft-interop-version') === interopVersion
  return (headers: Readonly<Record<string, string>>): void => {
    const { raw } = reply
    if (!isRequested || raw.headersSent || raw.destroyed) return
    raw.writeInformation(104, { 'upload-draft-interop-version': interopVersion, ...headers })
  }
}
