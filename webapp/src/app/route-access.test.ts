import { flagValues } from '@svc/contract'
import { expect, test } from 'vitest'
import { audience, requiresLogin } from './route-access.ts'

test.for([
  ['/', 'u1', 'everyone'],
  ['/', undefined, 'asTheServerSays'],
  ['/', '', 'asTheServerSays'],
  ['/login', undefined, 'everyone'],
  ['/clients', undefined, 'everyone'],
  ['/clients', 'u1', 'everyone'],
  ['/cli-auth', undefined, 'members'],
  ['/cli-auth', 'u1', 'members'],
  ['/home', undefined, 'members'],
  ['/home/uploads', 'u1', 'members'],
  ['/admin', undefined, 'members'],
  ['/admin/user', 'local:ada', 'members'],
  ['/homes', undefined, 'asTheServerSays'],
  ['/administer', undefined, 'asTheServerSays'],
  ['/no/such/page', 'u1', 'asTheServerSays'],
] as const)('%s with the upload %s is for %s', ([path, uploadID, expected]) => {
  expect(audience({ path, uploadID })).toBe(expected)
})

test('guests are excluded only where authentication is forced', () => {
  expect([...flagValues, undefined].filter(requiresLogin)).toEqual(['forced'])
})
