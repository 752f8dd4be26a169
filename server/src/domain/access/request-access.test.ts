import { expect, test } from 'vitest'
import type { UserRecord } from '../records.ts'
import { guest, type Principal } from './principal.ts'
import {
  isRequestInScope,
  mayAccessRequest,
  requestView,
  type RequestAction,
  type RequestCaller,
} from './request-access.ts'

const actions: readonly RequestAction[] = [
  'see the upload request',
  'change the upload request',
  'remove the upload request',
]
const stranger: RequestCaller = { holdsRequestToken: false, isOwner: false, scopes: null, isAdmin: false }

test.each<readonly [string, Partial<RequestCaller>, readonly boolean[]]>([
  ['someone with the link', {}, [false, false, false]],
  ['the request token', { holdsRequestToken: true }, [true, true, true]],
  ['the owner', { isOwner: true }, [true, true, true]],
  ['a token of the owner that reads', { isOwner: true, scopes: ['read'] }, [true, false, false]],
  ['a token of the owner that manages', { isOwner: true, scopes: ['manage'] }, [false, true, true]],
  ['a token of the owner that uploads', { isOwner: true, scopes: ['upload'] }, [false, false, false]],
  ['an admin', { isAdmin: true }, [true, false, true]],
])('%s may see, change and remove a request: %j', (_name, caller, expected) => {
  expect(actions.map((action) => mayAccessRequest(action, { ...stranger, ...caller }))).toEqual(expected)
})

test('a token with the scope to upload creates requests', () => {
  const created = [null, ['upload'], ['read', 'manage']] as const
  expect(created.map((scopes) => isRequestInScope(scopes, 'create upload requests'))).toEqual([
    true,
    true,
    false,
  ])
})

const user = (id: string, admin = 0) => ({ id, admin }) as UserRecord
const owner = user('local:ada')
const admin = user('local:root', 1)
const other = user('local:bob')

test.each<readonly [string, Partial<Principal>, boolean, boolean]>([
  ['the owner', { user: owner, session: 's' }, true, true],
  ['a token of the owner', { user: owner, token: 't' }, true, true],
  ['an owner who is an admin', { user: { ...owner, admin: 1 }, session: 's' }, true, true],
  ['a guest with the request token', {}, false, true],
  ['another user with the request token', { user: other, session: 's' }, false, true],
  ['an admin', { user: admin, session: 's' }, true, false],
  ['an admin who impersonates the owner', { user: owner, session: 's', impersonator: admin }, true, false],
  [
    'an admin who impersonates another user',
    { user: other, session: 's', impersonator: admin },
    false,
    false,
  ],
])('what a request shows to %s', (_name, principal, showOwner, showIdentity) => {
  const view = requestView({ ...guest, ...principal }, { userId: owner.id })
  expect(view).toEqual({ showOwner, showIdentity })
})
