import { expect, test } from 'vitest'
import { NoSpaceError, StoreUnavailableError } from '../../backend/backend.ts'
import { throwStoreError } from './file-errors.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

/** EBADMSG and EUCLEAN, damaged blocks, which Node does not name. */
const [badMessage, needsCleaning] = ['Unknown system error -74', 'Unknown system error -117']

test.each<[string, new (message: string) => Error]>([
  ['EIO', StoreUnavailableError],
  [badMessage, StoreUnavailableError],
  [needsCleaning, StoreUnavailableError],
  ['EMFILE', StoreUnavailableError],
  ['ENOSPC', NoSpaceError],
  ['EDQUOT', NoSpaceError],
])('the system error %s becomes a store error', (code, kind) => {
  expect(() => throwStoreError(failed(code))).toThrow(kind)
})

test('any other error stays', () => {
  const error = failed('EINVAL')
  expect(() => throwStoreError(error)).toThrow(error)
})
