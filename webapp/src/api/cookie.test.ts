import { expect, test } from 'vitest'
import { cookieValue } from './cookie.ts'

test.for([
  ['', undefined],
  ['svc-xsrf=abc', 'abc'],
  ['a=1; svc-xsrf=a-_=b; c=2', 'a-_=b'],
  ['a=1;svc-xsrf=x', 'x'],
  ['xsvc-xsrf=abc', undefined],
  ['a=svc-xsrf=abc', undefined],
  ['svc-xsrf', undefined],
  ['svc-xsrf=', ''],
  ['svc-xsrf=near; svc-xsrf=far', 'near'],
] as const)('among “%s” it is %s', ([cookies, value]) => {
  expect(cookieValue(cookies, 'svc-xsrf')).toBe(value)
})
