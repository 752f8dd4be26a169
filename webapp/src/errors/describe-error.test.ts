import { ApiError, createClient } from '@svc/sdk'
import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

test.for([
  [new ApiError(0, 'network', 'm'), 'unreachable', 'network'],
  [new ApiError(404, 'upload_not_found', 'm'), 'gone', 'upload_not_found'],
  [new ApiError(403, 'not_allowed', 'm'), 'refused', 'not_allowed'],
  [new ApiError(413, 'http_413', 'm'), 'refused', 'http_413'],
  [new ApiError(502, 'http_502', 'm'), 'broken', 'http_502'],
  [new ApiError(200, 'invalid_response', 'm'), 'broken', 'invalid_response'],
  [new TypeError('m'), 'broken', 'unknown'],
] as const)('%s is %s', ([error, kind, code]) => {
  expect(describeError(error)).toEqual({ kind, code, message: 'm' })
})

test.for(['', '.', '..'])('a request for the id “%s” means that the link is incomplete', async (id) => {
  const { upload } = createClient({ baseURL: 'https://svc.example/' })
  const error: unknown = await upload(id).catch((reason: unknown) => reason)
  expect(describeError(error)).toMatchObject({ kind: 'gone', code: 'incomplete_link' })
})

test('the Retry-After time of the server is quoted', () => {
  expect(describeError(new ApiError(429, 'too_many_attempts', 'm', { retryAfter: 90 }))).toEqual({
    kind: 'refused',
    code: 'too_many_attempts',
    message: 'm',
    retryAfter: 90,
  })
})
