import { expect, test } from 'vitest'
import type { UserRecord } from '../records.ts'
import { mayAccessAccount, mayAdminister, type AccountAction } from './account-access.ts'
import { guest, type Principal } from './principal.ts'

const user = (id: string, admin: 0 | 1 = 0) => ({ id, admin }) as UserRecord
const signedIn = (user: UserRecord): Principal => ({ ...guest, user, session: 'session' })

const principals = {
  guest,
  ada: signedIn(user('local:ada')),
  'ada by a token': { ...guest, user: user('local:ada'), token: 'token' },
  admin: signedIn(user('local:root', 1)),
  'an admin by a token': { ...guest, user: user('local:root', 1), token: 'token' },
  'an admin who impersonates ada': { ...signedIn(user('local:ada')), impersonator: user('local:root', 1) },
} satisfies Record<string, Principal>

const rows: readonly (readonly [keyof typeof principals, AccountAction, own: boolean, other: boolean])[] = [
  ['guest', 'see', false, false],
  ['ada', 'see', true, false],
  ['admin', 'see', true, true],
  ['an admin by a token', 'see', true, false],
  ['ada', 'change the profile', true, false],
  ['admin', 'change the profile', true, true],
  ['ada', 'change limits and rights', false, false],
  ['admin', 'change limits and rights', true, true],
  ['an admin by a token', 'change limits and rights', false, false],
  ['an admin who impersonates ada', 'change limits and rights', false, false],
  ['ada', 'delete', false, false],
  ['admin', 'delete', false, true],
  ['ada', 'use sessions and tokens', true, false],
  ['admin', 'use sessions and tokens', true, false],
  ['an admin who impersonates ada', 'use sessions and tokens', false, false],
  ['an admin who impersonates ada', 'change own password', false, false],
  ['ada', 'impersonate', false, false],
  ['admin', 'impersonate', true, true],
  ['an admin who impersonates ada', 'impersonate', false, false],
]

test.each(rows)('%s: %s', (name, action, own, other) => {
  const principal: Principal = principals[name]
  const ownID = principal.user?.id ?? 'unknown'
  expect([
    mayAccessAccount(action, principal, ownID),
    mayAccessAccount(action, principal, 'local:grace'),
  ]).toEqual([own, other])
})

test('only admins themselves, not those who act as admins, may administer', () => {
  const may = Object.entries(principals).filter(([, principal]) => mayAdminister(principal))
  expect(may.map(([name]) => name)).toEqual(['admin'])
})
