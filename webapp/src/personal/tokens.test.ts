import type { Page, UserToken } from '@svc/contract'
import { expect, test } from 'vitest'
import { endAfter, findToken, maskedToken, tokenEnd } from './tokens.ts'

const tokenOf = (token: string): UserToken => ({ token, comment: '', createdAt: '2026-01-01T00:00:00Z' })

test('of a token only the end is shown', () => {
  const token = `svct_${'a'.repeat(30)}0Zb1mW`
  expect([tokenEnd(token), maskedToken(token)]).toEqual(['0Zb1mW', '…0Zb1mW'])
})

test('a token ends days after now, or never', () => {
  const now = new Date('2026-02-27T12:00:00Z')
  expect([endAfter(30, now), endAfter(1, now), endAfter(0, now)]).toEqual([
    '2026-03-29T12:00:00.000Z',
    '2026-02-28T12:00:00.000Z',
    undefined,
  ])
})

test('a token is found by its end on whatever page it stands', async () => {
  const pages: Record<string, Page<UserToken>> = {
    '': { before: null, after: 'p2', total: 2, results: [tokenOf('svct_one111111')] },
    p2: { before: 'p1', after: null, total: 2, results: [tokenOf('svct_two222222')] },
  }
  const asked: unknown[] = []
  const list = (query: { limit: number; after?: string }) => {
    asked.push(query)
    const page = pages[query.after ?? '']
    return page ? Promise.resolve(page) : Promise.reject(new Error('no such page'))
  }
  expect((await findToken(list, '222222'))?.token).toBe('svct_two222222')
  expect(asked).toEqual([{ limit: 500 }, { limit: 500, after: 'p2' }])
  expect(await findToken(list, '333333')).toBe(undefined)
})
