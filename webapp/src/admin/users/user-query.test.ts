import type { User } from '@svc/contract'
import { expect, test } from 'vitest'
import { loadUsers, readUserView, userRouteQuery } from './user-query.ts'

test('an empty URL lists all users', () => {
  expect(readUserView({})).toEqual({ search: '' })
  expect(userRouteQuery({ search: '' })).toEqual({})
})

test('invalid values in a URL are ignored', () => {
  expect(readUserView({ provider: 'evil', admin: 'false', after: '', q: null })).toEqual({ search: '' })
})

test('a written URL is parsed as the same view', () => {
  const view = { search: 'a & b', provider: 'oidc', admin: true, after: 'c1' } as const
  const written = new URLSearchParams(userRouteQuery(view) as Record<string, string>)
  expect(readUserView(Object.fromEntries(written))).toEqual(view)
})

function source() {
  const requests: unknown[] = []
  const found = [{ id: 'local:ada' } as User]
  return {
    requests,
    users: (query: object) => {
      requests.push(['users', query])
      return Promise.resolve({ before: null, after: 'next', total: 30, results: found })
    },
    searchUsers: (query: object) => {
      requests.push(['search', query])
      return Promise.resolve(found)
    },
  }
}

test('two letters search, fewer list', async () => {
  const { requests, ...from } = source()
  const searched = await loadUsers(from, { search: 'ad', provider: 'local', admin: true, after: 'c' })
  const listed = await loadUsers(from, { search: 'a', after: 'c' })
  await loadUsers(from, { search: '😀' })
  expect(requests).toEqual([
    ['search', { q: 'ad', limit: 50, provider: 'local', admin: true }],
    ['users', { limit: 20, after: 'c' }],
    ['users', { limit: 20 }],
  ])
  expect([searched.total, searched.after, listed.total, listed.after]).toEqual([1, null, 30, 'next'])
})
