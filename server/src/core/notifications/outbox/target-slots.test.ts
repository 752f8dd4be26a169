import { expect, test } from 'vitest'
import { targetSlots } from './target-slots.ts'

/** A message to a target, of a separate account unless given. */
const to = (target: string, userId: string | null = `user ${target}`) => ({ target, userId })

const takeAll = (slots: ReturnType<typeof targetSlots>, target: string) => {
  let taken = 0
  while (slots.take(to(target))) taken += 1
  return taken
}

test('a target has a limited number of slots, and all targets together', () => {
  const slots = targetSlots()
  expect(takeAll(slots, 'a')).toBe(32)
  expect(slots.full()).toEqual({ targets: ['a'], accounts: ['user a'] })
  slots.release(to('a'))
  expect([slots.full().targets, slots.take(to('a')), slots.take(to('a'))]).toEqual([[], true, false])
  const others = Array.from({ length: 10 }, (_, index) => takeAll(slots, String(index)))
  expect(others).toEqual([32, 32, 32, 32, 32, 32, 32, 0, 0, 0])
  expect(slots.free()).toBe(0)
})

test('a target that does not respond has one slot until it responds', () => {
  const slots = targetSlots()
  for (let begun = 0; begun < 3; begun++) slots.take(to('slow'))
  slots.release(to('slow'), false)
  expect([slots.full().targets, slots.take(to('slow'))]).toEqual([['slow'], false])
  slots.release(to('slow'))
  slots.release(to('slow'), false)
  expect([slots.full().targets, takeAll(slots, 'slow')]).toEqual([[], 1])
  slots.release(to('slow'), true)
  expect(takeAll(slots, 'slow')).toBe(32)
})

test('the targets of an account together have a limited number of slots, those of the server have none', () => {
  const slots = targetSlots()
  const taken = (userId: string | null) =>
    Array.from({ length: 80 }, (_, index) => slots.take(to(String(index % 10), userId))).filter(Boolean)
      .length
  expect([taken('ada'), taken(null), taken('eve')]).toEqual([32, 80, 32])
  expect(slots.full()).toEqual({ targets: [], accounts: ['ada', 'eve'] })
  slots.release(to('0', 'ada'))
  expect(slots.full().accounts).toEqual(['eve'])
})
