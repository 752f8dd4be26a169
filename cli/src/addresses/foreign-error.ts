import { ApiError } from '@svc/sdk'

/**
 * The error of a server that is not Svc. A page in place of the response is no sign of a proxy: such servers send their errors
 * as pages. Its status decides whether a retry may succeed, since its codes are not ours.
 */
export function foreignError(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.status === 0) return error
  const { status, message, retryAfter } = error
  const words = message.replace(/^the proxy responded/, 'the server responded')
  return new ApiError(status, `http_${String(status)}`, words, { cause: undefined, retryAfter })
}
