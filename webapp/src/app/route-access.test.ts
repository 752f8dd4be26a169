import { flagValues } from '@svc/contract'
import { expect, test } from 'vitest'
import { audience, requiresLogin } from './route-access.ts'

test.for([
  ['/', 'u1', 'everyone'],
  ['/', undefined, 'asConfigured'],
  ['/', '', 'everyone'],
  ['/login', undefined, 'everyone'],
  ['/clients', undefined, 'everyone'],
  ['/clients', 'u1', 'everyone'],
  ['/request', 'r1', 'everyone'],
  ['/requests', undefined, 'asConfigured'],
  ['/cli-auth', undefined, 'users'],
  ['/cli-auth', 'u1', 'users'],
  ['/home', undefined, 'users'],
  ['/home/uploads', 'u1', 'users'],
  ['/admin', undefined, 'users'],
  ['/admin/user', 'local:ada', 'users'],
  ['/homes', undefined, 'asConfigured'],
  ['/administer', undefined, 'asConfigured'],
  ['/no/such/page', 'u1', 'asConfigured'],
] as const)('%s with the upload %s is for %s', ([path, uploadID, expected]) => {
  expect(audience({ path, uploadID })).toBe(expected)
})

test('guests are excluded only where authentication is forced', () => {
  expect([...flagValues, undefined].filter(requiresLogin)).toEqual(['forced'])
})
