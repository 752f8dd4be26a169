import { expect, test } from 'vitest'
import { NoSpaceError, StoreUnavailableError } from '../../backend/backend.ts'
import { throwStoreError } from './file-errors.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

test.each<[string, new (message: string) => Error]>([
  ['EIO', StoreUnavailableError],
  ['Unknown system error -74', StoreUnavailableError],
  ['Unknown system error -117', StoreUnavailableError],
  ['EMFILE', StoreUnavailableError],
  ['ENOSPC', NoSpaceError],
  ['EDQUOT', NoSpaceError],
])('the system error %s is one of the store', (code, kind) => {
  expect(() => throwStoreError(failed(code))).toThrow(kind)
})

test('any other error stays', () => {
  const error = failed('EINVAL')
  expect(() => throwStoreError(error)).toThrow(error)
})
