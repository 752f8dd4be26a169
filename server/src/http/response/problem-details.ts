import type { FastifyRequest } from 'fastify'
import type { ErrorCode } from '@svc/contract'
import type { ServiceError } from '../../domain/errors.ts'

/** Problem types of draft-ietf-httpbis-resumable-upload. */
const types: Partial<Record<ErrorCode, string>> = {
  offset_mismatch: 'mismatching-upload-offset',
  file_not_missing: 'completed-upload',
  size_mismatch: 'inconsistent-upload-length',
}

/** An error as problem details (RFC 9457), with additional members. */
export function problemDetails(error: ServiceError, request: FastifyRequest): object {
  const { code, message, status, headers } = error
  const type = types[code]
  const expected = headers['upload-offset']
  return {
    ...(type !== undefined && { type: `https://iana.org/assignments/http-problem-types#${type}` }),
    title: message,
    status,
    ...(expected !== undefined && {
      'expected-offset': Number(expected),
      'provided-offset': Number(request.headers['upload-offset']),
    }),
    message,
    code,
  }
}
