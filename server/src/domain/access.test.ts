import { expect, test } from 'vitest'
import { stranger, verdict, type Action } from './access.ts'

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
  expect(actions.map((action) => verdict(action, uploads[kind], stranger))).toEqual(expected)
})

test.each(['holdsUploadToken', 'isOwner'] as const)('who %s may do everything', (right) => {
  for (const upload of Object.values(uploads)) {
    for (const action of actions)
      expect(verdict(action, upload, { ...stranger, [right]: true })).toBe('allowed')
  }
})

test('an admin may see and remove everything, and add nothing', () => {
  for (const upload of Object.values(uploads)) {
    const verdicts = actions.map((action) => verdict(action, upload, { ...stranger, isAdmin: true }))
    expect(verdicts).toEqual(['allowed', 'refused', 'allowed', 'allowed'])
  }
})
