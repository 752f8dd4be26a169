import { expect, test } from 'vitest'
import { mailSlots } from './mail-slots.ts'

const messageOf = (userId: string) => ({ target: 'links', userId })

test('an account has at most two of the four connections, one in each round', () => {
  const slots = mailSlots()
  expect([slots.take(messageOf('mallory')), slots.take(messageOf('mallory'))]).toEqual([true, false])
  expect([slots.full().accounts, slots.nextRound(), slots.full().accounts]).toEqual([['mallory'], true, []])
  expect([slots.take(messageOf('mallory')), slots.nextRound()]).toEqual([true, false])
  expect([slots.full().accounts, slots.take(messageOf('mallory'))]).toEqual([['mallory'], false])
  expect([slots.take(messageOf('bob')), slots.take(messageOf('eve')), slots.take(messageOf('ada'))]).toEqual([
    true,
    true,
    false,
  ])
  expect(slots.free()).toBe(0)
})

test('an account that was served waits for those that were not', () => {
  const slots = mailSlots()
  for (const user of ['a', 'b', 'c', 'd']) slots.take(messageOf(user))
  slots.release(messageOf('a'))
  expect([slots.take(messageOf('a')), slots.full().accounts]).toEqual([false, ['a', 'b', 'c', 'd']])
  expect([slots.take(messageOf('bob')), slots.free()]).toEqual([true, 0])
})

test('a round of many accounts ends by itself', () => {
  const slots = mailSlots()
  for (let at = 0; at < 1_000; at++) {
    expect(slots.take(messageOf(String(at)))).toBe(true)
    slots.release(messageOf(String(at)))
  }
  expect(slots.full().accounts.length).toBeLessThanOrEqual(256)
})
