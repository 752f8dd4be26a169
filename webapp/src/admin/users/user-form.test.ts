import type { User } from '@svc/contract'
import { expect, test } from 'vitest'
import { emptyForm, formOf, newUserOf, updateOf } from './user-form.ts'

const user: User = {
  id: 'local:bob',
  provider: 'local',
  login: 'bob',
  name: 'Bob',
  email: 'bob@example.org',
  theme: 'dark',
  language: 'de',
  admin: false,
  maxFileSize: 0,
  maxUserSize: 5,
  maxTTL: -1,
  createdAt: '2026-01-01T00:00:00Z',
}

test('an unchanged form sends no changes', () => {
  expect(updateOf(formOf(user), user)).toEqual({})
})

test('only changed fields are sent, and a password only when it is set', () => {
  const form = { ...formOf(user), name: ' Robert ', admin: true, maxFileSize: 7 }
  expect(updateOf(form, user)).toEqual({ name: 'Robert', admin: true, maxFileSize: 7 })
  expect(updateOf({ ...formOf(user), password: 'long enough' }, user)).toEqual({ password: 'long enough' })
})

test('users of a provider get no password', () => {
  const outside = { ...user, provider: 'oidc' } as const
  expect(updateOf({ ...formOf(outside), password: 'typed before' }, outside)).toEqual({})
  const created = newUserOf({
    ...emptyForm,
    provider: 'idp1',
    login: 'a@example.org',
    password: 'typed before',
  })
  expect(created).not.toHaveProperty('password')
})

test('a new user is sent completely, with trimmed values', () => {
  expect(newUserOf({ ...emptyForm, login: ' bob ', password: ' kept as typed ', maxTTL: 60 })).toEqual({
    provider: 'local',
    login: 'bob',
    password: ' kept as typed ',
    name: '',
    email: '',
    admin: false,
    maxFileSize: 0,
    maxUserSize: 0,
    maxTTL: 60,
  })
})

test('nothing is sent while a limit is invalid', () => {
  const form = { ...formOf(user), maxUserSize: undefined }
  expect([newUserOf(form), updateOf(form, user)]).toEqual([undefined, undefined])
})
