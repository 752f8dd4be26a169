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

const actions: readonly Action[] = [
  'read',
  'see the downloads',
  'add files',
  'remove files',
  'change the upload',
  'remove the upload',
  'send the link by email',
]
const all = actions.map(() => 'allowed')
const uploads = {
  plain: { passwordHash: null, removable: 0, requestId: null },
  removable: { passwordHash: null, removable: 1, requestId: null },
  protected: { passwordHash: 'hash', removable: 0, requestId: null },
  'protected and removable': { passwordHash: 'hash', removable: 1, requestId: null },
  received: { passwordHash: null, removable: 0, requestId: 'request' },
} as const

test.each([
  ['plain', ['allowed', 'denied', 'denied', 'denied', 'denied', 'denied', 'denied']],
  ['removable', ['allowed', 'denied', 'denied', 'allowed', 'denied', 'denied', 'denied']],
  ['protected', ['password', 'denied', 'denied', 'denied', 'denied', 'denied', 'denied']],
  ['protected and removable', ['password', 'denied', 'denied', 'password', 'denied', 'denied', 'denied']],
  ['received', ['denied', 'denied', 'denied', 'denied', 'denied', 'denied', 'denied']],
] as const)('a guest may do what a %s upload allows, and no more', (kind, expected) => {
  expect(actions.map((action) => decideAccess(action, uploads[kind], anonymousCaller))).toEqual(expected)
})

test('the owner may do everything with any upload', () => {
  const owner = { ...anonymousCaller, isOwner: true }
  for (const upload of Object.values(uploads))
    expect(actions.map((action) => decideAccess(action, upload, owner))).toEqual(all)
})

const readFillAndRemove = ['allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed', 'denied']

test('the holder of an upload token may read, fill and remove any upload, and mail no link', () => {
  const sender = { ...anonymousCaller, holdsUploadToken: true }
  for (const upload of [uploads.plain, uploads.removable, uploads.protected])
    expect(actions.map((action) => decideAccess(action, upload, sender))).toEqual(readFillAndRemove)
})

test('the sender of a received upload does not see who downloads it', () => {
  const sender = { ...anonymousCaller, holdsUploadToken: true }
  expect(actions.map((action) => decideAccess(action, uploads.received, sender))).toEqual(
    readFillAndRemove.with(actions.indexOf('see the downloads'), 'denied'),
  )
})

test('the token of a request allows everything with what it has received, except to add to it or mail its link', () => {
  const caller = { ...anonymousCaller, holdsRequestToken: true }
  const decisions = actions.map((action) => decideAccess(action, uploads.received, caller))
  expect(decisions).toEqual(['allowed', 'allowed', 'denied', 'allowed', 'allowed', 'allowed', 'denied'])
  expect(canManage(caller)).toBe(false)
})

test('an admin may see, change and remove every upload, add nothing and mail no link', () => {
  for (const upload of Object.values(uploads)) {
    const decisions = actions.map((action) =>
      decideAccess(action, upload, { ...anonymousCaller, isAdmin: true }),
    )
    expect(decisions).toEqual(['allowed', 'allowed', 'denied', 'allowed', 'allowed', 'allowed', 'denied'])
  }
})

test.each([
  [null, all, true],
  [['upload'], ['password', 'denied', 'allowed', 'denied', 'denied', 'denied', 'denied'], false],
  [['read'], ['allowed', 'allowed', 'denied', 'denied', 'denied', 'denied', 'denied'], false],
  [['manage'], ['password', 'denied', 'denied', 'allowed', 'allowed', 'allowed', 'allowed'], false],
  [['upload', 'manage'], ['password', 'denied', 'allowed', 'allowed', 'allowed', 'allowed', 'allowed'], true],
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
