import { expect, test } from 'vitest'
import { mailSlots } from './mail-slots.ts'

const of = (userId: string) => ({ target: 'links', userId })

test('an account has at most two of the four connections, one in each round', () => {
  const slots = mailSlots()
  expect([slots.take(of('mallory')), slots.take(of('mallory'))]).toEqual([true, false])
  expect([slots.full().accounts, slots.nextRound(), slots.full().accounts]).toEqual([['mallory'], true, []])
  expect([slots.take(of('mallory')), slots.nextRound()]).toEqual([true, false])
  expect([slots.full().accounts, slots.take(of('mallory'))]).toEqual([['mallory'], false])
  expect([slots.take(of('bob')), slots.take(of('eve')), slots.take(of('ada'))]).toEqual([true, true, false])
  expect(slots.free()).toBe(0)
})

test('an account that was served waits for those that were not', () => {
  const slots = mailSlots()
  for (const user of ['a', 'b', 'c', 'd']) slots.take(of(user))
  slots.release(of('a'))
  expect([slots.take(of('a')), slots.full().accounts]).toEqual([false, ['a', 'b', 'c', 'd']])
  expect([slots.take(of('bob')), slots.free()]).toEqual([true, 0])
})

test('a round of many accounts ends by itself', () => {
  const slots = mailSlots()
  for (let at = 0; at < 1_000; at++) {
    expect(slots.take(of(String(at)))).toBe(true)
    slots.release(of(String(at)))
  }
  expect(slots.full().accounts.length).toBeLessThanOrEqual(256)
})
