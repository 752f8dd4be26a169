import { getSystemErrorMap } from 'node:util'
import { Failure } from '../failure.ts'

const noTls = 'what answers there speaks no TLS; its address may begin with http://'

const plain: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'not allowed to read or write it',
  EPERM: 'not allowed',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'the link leads in circles',
  EMFILE: 'too many files are open',
  EEXIST: 'it is already there',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ENOTFOUND: 'there is no server of this name',
  EAI_AGAIN: 'the name of the server cannot be looked up right now',
  ETIMEDOUT: 'no answer came in time',
  EHOSTUNREACH: 'there is no way to the server',
  ENETUNREACH: 'there is no network',
  EPROTO: noTls,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted (see --insecure)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted (see --insecure)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (see --insecure)',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted (see --insecure)',
  CERT_HAS_EXPIRED: 'its certificate has expired (see --insecure)',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name (see --insecure)',
}

export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Why something failed, for an eye, with what caused it unless the message says all there is to say. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof Failure) return error.message
  const code = systemCode(error)
  const known = code === undefined ? undefined : plain[code]
  if (known !== undefined) return known
  const system = [...getSystemErrorMap().values()].find(([name]) => name === code)
  const own = system?.[1] ?? error.message
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause
  if (inner === undefined) return own
  const why = reasonOf(inner)
  // Two that say the same are one reason; of several at once, the first says it.
  return own === why || (own === '' && error instanceof AggregateError) ? why : `${own}: ${why}`
}
