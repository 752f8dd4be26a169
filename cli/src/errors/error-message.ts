import { getSystemErrorMap } from 'node:util'
import { ApiError } from '@svc/sdk'
import { Failure } from './failure.ts'

const noTls = 'the server does not speak TLS; its address may begin with http://'

const messages: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EISDIR: 'is a folder',
  ENOTDIR: 'part of the path is not a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'too many levels of links',
  EMFILE: 'too many files are open',
  EEXIST: 'already exists',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to the server',
  ENETUNREACH: 'network is unreachable',
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is not trusted (see --insecure)',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is not trusted (see --insecure)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate is not trusted (see --insecure)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not trusted (see --insecure)',
  CERT_HAS_EXPIRED: 'the certificate has expired (see --insecure)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another name (see --insecure)',
}

export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** An error message for users. Adds the cause unless the message contains it. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Failure) return error.message
  if (error instanceof ApiError && error.code === 'login_required')
    return `${error.message}; svc login signs in`
  const code = systemCode(error)
  const known = code === undefined ? undefined : messages[code]
  if (known !== undefined) return known
  const system = [...getSystemErrorMap().values()].find(([name]) => name === code)
  const own = system?.[1] ?? error.message
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause
  if (inner === undefined) return own
  const why = errorMessage(inner)
  // A cause with the same message is left out; of several causes, the first is used.
  return own === why || (own === '' && error instanceof AggregateError) ? why : `${own}: ${why}`
}
