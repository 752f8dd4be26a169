import { expect, test } from 'vitest'
import {
  canManage,
  isInScope,
  parseScopes,
  anonymousCaller,
  decideAccess,
  serializeScopes,
  type Action,
} from './access.ts'

const actions: readonly Action[] = ['read', 'add files', 'remove files', 'remove the upload']
const uploads = {
  plain: { passwordHash: null, removable: 0, requestId: null },
  removable: { passwordHash: null, removable: 1, requestId: null },
  protected: { passwordHash: 'hash', removable: 0, requestId: null },
  'protected and removable': { passwordHash: 'hash', removable: 1, requestId: null },
  received: { passwordHash: null, removable: 0, requestId: 'request' },
} as const

test.each([
  ['plain', ['allowed', 'denied', 'denied', 'denied']],
  ['removable', ['allowed', 'denied', 'allowed', 'denied']],
  ['protected', ['password', 'denied', 'denied', 'denied']],
  ['protected and removable', ['password', 'denied', 'password', 'denied']],
  ['received', ['denied', 'denied', 'denied', 'denied']],
] as const)('a guest may do what a %s upload allows, and no more', (kind, expected) => {
  expect(actions.map((action) => decideAccess(action, uploads[kind], anonymousCaller))).toEqual(expected)
})

test.each(['holdsUploadToken', 'isOwner'] as const)('a caller with %s has all rights', (right) => {
  for (const upload of Object.values(uploads)) {
    for (const action of actions)
      expect(decideAccess(action, upload, { ...anonymousCaller, [right]: true })).toBe('allowed')
  }
})

test('the sender of a received upload does not see who downloads it', () => {
  const sender = { ...anonymousCaller, holdsUploadToken: true }
  expect(decideAccess('see the downloads', uploads.received, sender)).toBe('denied')
  expect(decideAccess('see the downloads', uploads.plain, sender)).toBe('allowed')
})

test('the token of a request allows everything with what it has received, except to add to it', () => {
  const caller = { ...anonymousCaller, holdsRequestToken: true }
  const decisions = actions.map((action) => decideAccess(action, uploads.received, caller))
  expect(decisions).toEqual(['allowed', 'denied', 'allowed', 'allowed'])
  expect(canManage(caller)).toBe(false)
})

test('an admin may see and remove every upload, and add nothing', () => {
  for (const upload of Object.values(uploads)) {
    const decisions = actions.map((action) =>
      decideAccess(action, upload, { ...anonymousCaller, isAdmin: true }),
    )
    expect(decisions).toEqual(['allowed', 'denied', 'allowed', 'allowed'])
  }
})

test.each([
  [null, ['allowed', 'allowed', 'allowed', 'allowed'], true],
  [['upload'], ['password', 'allowed', 'denied', 'denied'], false],
  [['read'], ['allowed', 'denied', 'denied', 'denied'], false],
  [['manage'], ['password', 'denied', 'allowed', 'allowed'], false],
  [['upload', 'manage'], ['password', 'allowed', 'allowed', 'allowed'], true],
] as const)(
  'a token of the scopes %j allows its owner these actions and no others',
  (scopes, expected, manager) => {
    const caller = { ...anonymousCaller, isOwner: true, scopes }
    expect(actions.map((action) => decideAccess(action, uploads.protected, caller))).toEqual(expected)
    expect(canManage(caller)).toBe(manager)
  },
)

test.each([
  [null, true],
  [['upload'], true],
  [['read', 'manage'], false],
] as const)('a token of the scopes %j creates uploads: %s', (scopes, expected) => {
  expect(isInScope(scopes, 'create uploads')).toBe(expected)
})

test('scopes are stored in one order, and an empty text allows nothing', () => {
  expect(serializeScopes(['manage', 'upload'])).toBe('upload manage')
  expect([parseScopes('upload manage'), parseScopes(null), parseScopes('')]).toEqual([
    ['upload', 'manage'],
    null,
    [],
  ])
})

test.each([null, undefined])('the scopes %s of an unlimited token are stored as null', (scopes) => {
  expect(serializeScopes(scopes)).toBeNull()
})
