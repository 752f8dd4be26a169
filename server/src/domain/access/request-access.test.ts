import { expect, test } from 'vitest'
import {
  isRequestInScope,
  mayAccessRequest,
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
])('%s may see, change and remove a request: %j', (_name, given, expected) => {
  expect(actions.map((action) => mayAccessRequest(action, { ...stranger, ...given }))).toEqual(expected)
})

test('a token with the scope to upload creates requests', () => {
  const created = [null, ['upload'], ['read', 'manage']] as const
  expect(created.map((scopes) => isRequestInScope(scopes, 'create upload requests'))).toEqual([
    true,
    true,
    false,
  ])
})
