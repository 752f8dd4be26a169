import type { Page, UserToken } from '@svc/contract'
import { expect, test } from 'vitest'
import { expiryAfter, findToken } from './tokens.ts'

const tokenOf = (id: string): UserToken => ({
  id,
  token: '',
  comment: '',
  createdAt: '2026-01-01T00:00:00Z',
})

test('a token expires days after now, or never', () => {
  const now = new Date('2026-02-27T12:00:00Z')
  expect([expiryAfter(30, now), expiryAfter(1, now), expiryAfter(0, now)]).toEqual([
    '2026-03-29T12:00:00.000Z',
    '2026-02-28T12:00:00.000Z',
    undefined,
  ])
})

test('a token is found by its id on any page', async () => {
  const pages: Record<string, Page<UserToken>> = {
    '': { before: null, after: 'p2', total: 2, results: [tokenOf('one')] },
    p2: { before: 'p1', after: null, total: 2, results: [tokenOf('two')] },
  }
  const requests: unknown[] = []
  const list = (query: { limit: number; after?: string }) => {
    requests.push(query)
    const page = pages[query.after ?? '']
    return page ? Promise.resolve(page) : Promise.reject(new Error('no such page'))
  }
  expect((await findToken(list, 'two'))?.id).toBe('two')
  expect(requests).toEqual([{ limit: 500 }, { limit: 500, after: 'p2' }])
  expect(await findToken(list, 'three')).toBe(undefined)
})
