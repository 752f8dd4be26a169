import { expect, test } from 'vitest'
import { callbackError } from './callback-error.ts'

test.for([
  [undefined, undefined],
  ['login_refused', 'login_refused'],
  ['login_failed', 'login_failed'],
  ['', 'login_failed'],
  ['constructor', 'login_failed'],
  ['Call +1 555 0100 to unlock your account', 'login_failed'],
] as const)('the code %s selects the message %s', ([code, message]) => {
  expect(callbackError(code)).toBe(message)
})
