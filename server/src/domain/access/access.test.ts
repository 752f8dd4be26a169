import { expect, test } from 'vitest'
import {
  manages,
  isInScope,
  readScopes,
  stranger,
  decideAccess,
  writtenScopes,
  type Action,
} from './access.ts'

const actions: readonly Action[] = ['read', 'add files', 'remove files', 'remove the upload']
const uploads = {
  plain: { passwordHash: null, removable: 0 },
  removable: { passwordHash: null, removable: 1 },
  protected: { passwordHash: 'hash', removable: 0 },
  'protected and removable': { passwordHash: 'hash', removable: 1 },
} as const

test.each([
  ['plain', ['allowed', 'refused', 'refused', 'refused']],
  ['removable', ['allowed', 'refused', 'allowed', 'refused']],
  ['protected', ['password', 'refused', 'refused', 'refused']],
  ['protected and removable', ['password', 'refused', 'password', 'refused']],
] as const)('what a guest may do with a %s upload', (kind, expected) => {
  expect(actions.map((action) => decideAccess(action, uploads[kind], stranger))).toEqual(expected)
})

test.each(['holdsUploadToken', 'isOwner'] as const)('who %s may do everything', (right) => {
  for (const upload of Object.values(uploads)) {
    for (const action of actions)
      expect(decideAccess(action, upload, { ...stranger, [right]: true })).toBe('allowed')
  }
})

test('an admin may see and remove everything, and add nothing', () => {
  for (const upload of Object.values(uploads)) {
    const verdicts = actions.map((action) => decideAccess(action, upload, { ...stranger, isAdmin: true }))
    expect(verdicts).toEqual(['allowed', 'refused', 'allowed', 'allowed'])
  }
})

test.each([
  [null, ['allowed', 'allowed', 'allowed', 'allowed'], true],
  [['upload'], ['password', 'allowed', 'refused', 'refused'], false],
  [['read'], ['allowed', 'refused', 'refused', 'refused'], false],
  [['manage'], ['password', 'refused', 'allowed', 'allowed'], false],
  [['upload', 'manage'], ['password', 'allowed', 'allowed', 'allowed'], true],
] as const)('a token of the scopes %j does for its owner what they say', (scopes, expected, manager) => {
  const caller = { ...stranger, isOwner: true, scopes }
  expect(actions.map((action) => decideAccess(action, uploads.protected, caller))).toEqual(expected)
  expect(manages(caller)).toBe(manager)
})

test.each([
  [null, true],
  [['upload'], true],
  [['read', 'manage'], false],
] as const)('a token of the scopes %j creates uploads: %s', (scopes, expected) => {
  expect(isInScope(scopes, 'create uploads')).toBe(expected)
})

test('scopes are kept in one order, and a text that names none allows nothing', () => {
  expect(writtenScopes(['manage', 'upload'])).toBe('upload manage')
  expect([readScopes('upload manage'), readScopes(null), readScopes('')]).toEqual([
    ['upload', 'manage'],
    null,
    [],
  ])
})
