import { expect, test } from 'vitest'
import { pageFromHash } from './page-from-hash.ts'

test.for([
  ['', 'upload'],
  ['#/', 'upload'],
  ['#/?id=u1', 'download'],
  ['#/?file=f1&id=u1#key=x', 'download'],
  ['#/login', 'login'],
  ['#/login?next=%2F%3Fid%3D1', 'login'],
  ['#/login?id=1', 'login'],
  ['#/cli-auth?code=ABCD-EFGH', 'cliLogin'],
  ['#/clients', 'clients'],
  ['#/sent', 'sent'],
  ['#/request?id=r1&key=k', 'request'],
  ['#/requests?id=r1', 'requests'],
  ['#/home/uploads?sort=size', 'personal'],
  ['#/home', 'personal'],
  ['#/admin/user?id=local:ada', 'admin'],
  ['#/logins', 'upload'],
] as const)('%s opens %s', ([hash, page]) => {
  expect(pageFromHash(hash)).toBe(page)
})
