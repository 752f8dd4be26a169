import { expect, test } from 'vitest'
import { targetSlots } from './target-slots.ts'

const takeAll = (slots: ReturnType<typeof targetSlots>, target: string) => {
  let taken = 0
  while (slots.take(target)) taken += 1
  return taken
}

test('a target has a limited number of slots, and all targets together', () => {
  const slots = targetSlots()
  expect(takeAll(slots, 'a')).toBe(32)
  expect(slots.full()).toEqual(['a'])
  slots.release('a')
  expect([slots.full(), slots.take('a'), slots.take('a')]).toEqual([[], true, false])
  const others = Array.from({ length: 10 }, (_, index) => takeAll(slots, String(index)))
  expect(others).toEqual([32, 32, 32, 32, 32, 32, 32, 0, 0, 0])
  expect(slots.free()).toBe(0)
})

test('a target that does not respond has one slot until it responds', () => {
  const slots = targetSlots()
  for (let begun = 0; begun < 3; begun++) slots.take('slow')
  slots.release('slow', false)
  expect([slots.full(), slots.take('slow')]).toEqual([['slow'], false])
  slots.release('slow')
  slots.release('slow', false)
  expect([slots.full(), takeAll(slots, 'slow')]).toEqual([[], 1])
  slots.release('slow', true)
  expect(takeAll(slots, 'slow')).toBe(32)
})
