import { expect, test } from 'vitest'
import { manualClock } from '../../../../test/support/clocks/manual-clock.ts'
import { targetSlots } from './target-slots.ts'

/** A message to a target, of a separate account unless given. */
const to = (target: string, userId: string | null = `user ${target}`) => ({ target, userId })

const takeAll = (slots: ReturnType<typeof targetSlots>, target: string) => {
  let taken = 0
  while (slots.take(to(target))) taken += 1
  return taken
}

test('a target has a limited number of slots, and all targets together', () => {
  const slots = targetSlots(manualClock())
  expect(takeAll(slots, 'a')).toBe(32)
  expect(slots.full()).toEqual({ targets: ['a'], accounts: ['user a'] })
  slots.release(to('a'))
  expect([slots.full().targets, slots.take(to('a')), slots.take(to('a'))]).toEqual([[], true, false])
  const others = Array.from({ length: 300 }, (_, index) => takeAll(slots, String(index)))
  expect(others.slice(0, 4)).toEqual([28, 25, 22, 19])
  expect(slots.free()).toBe(0)
})

test('a target that does not respond has one slot until it responds', () => {
  const slots = targetSlots(manualClock())
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
  const slots = targetSlots(manualClock())
  const taken = (userId: string | null) =>
    Array.from({ length: 80 }, (_, index) => slots.take(to(String(index % 10), userId))).filter(Boolean)
      .length
  expect([taken('ada'), taken(null), taken('eve')]).toEqual([32, 80, 18])
  expect(slots.full()).toEqual({ targets: [], accounts: ['ada', 'eve'] })
  for (let at = 0; at < 20; at++) slots.release(to('0', 'ada'))
  expect(slots.full().accounts).toEqual([])
})

/** Takes slots for accounts with ten targets each, in turns, until none gets more. */
function takeInTurns(slots: ReturnType<typeof targetSlots>, accounts: number) {
  const taken: ReturnType<typeof to>[] = []
  for (let before = -1; taken.length > before;) {
    before = taken.length
    for (let at = 0; at < accounts * 10; at++) {
      const request = to(`hook ${String(at)}`, `user ${String(at % accounts)}`)
      if (slots.take(request)) taken.push(request)
    }
  }
  return taken
}

test('eight accounts whose targets hang leave slots for others, from the first message on', () => {
  const slots = targetSlots(manualClock())
  const hanging = takeInTurns(slots, 8)
  expect(hanging.length).toBeLessThan(150)
  expect(takeAll(slots, 'quick')).toBeGreaterThan(10)
})

test('an account with targets that did not respond in time has two slots until they respond', () => {
  const slots = targetSlots(manualClock())
  for (const request of takeInTurns(slots, 50)) slots.release(request, false)
  expect(slots.free()).toBe(256)
  const again = takeInTurns(slots, 50)
  expect(again).toHaveLength(100)
  expect(slots.full().accounts).toHaveLength(50)
  expect(takeAll(slots, 'quick')).toBeGreaterThan(15)
  const ofOne = again.filter(({ userId }) => userId === 'user 0')
  for (const request of ofOne) slots.release(request, true)
  expect(slots.take(to('hook 0', 'user 0'))).toBe(true)
})

test('accounts with many messages leave 64 slots to those that have none', () => {
  const slots = targetSlots(manualClock())
  expect(takeInTurns(slots, 60)).toHaveLength(256 - 64)
  expect(slots.full().accounts).toHaveLength(60)
  expect([slots.take(to('quick')), slots.take(to('quick'))]).toEqual([true, false])
  slots.release(to('quick'), true)
  expect(slots.take(to('quick'))).toBe(true)
})

test('accounts with targets that did not respond in time leave the last 64 slots to others', () => {
  const slots = targetSlots(manualClock())
  for (let round = 0; round < 3; round++)
    for (const request of takeInTurns(slots, 300)) slots.release(request, false)
  expect(takeInTurns(slots, 300)).toHaveLength(256 - 64)
  const { accounts } = slots.full()
  expect(accounts).toHaveLength(300)
  expect(slots.take(to('quick'))).toBe(true)
  const quick = Array.from({ length: 70 }, (_, at) => to(`hook of ${String(at)}`, `quick ${String(at)}`))
  expect(quick.filter(slots.take)).toHaveLength(63)
})

test('a target that did not respond is forgotten an hour after its last failure', () => {
  const clock = manualClock()
  const slots = targetSlots(clock)
  const fail = () => {
    slots.take(to('removed', 'ada'))
    slots.release(to('removed', 'ada'), false)
  }
  const ofAda = () => {
    const hooks = Array.from({ length: 10 }, (_, at) => to(`hook ${String(at)}`, 'ada'))
    const taken = hooks.filter(slots.take)
    for (const request of taken) slots.release(request)
    return taken.length
  }
  fail()
  clock.advance(3_599_999)
  expect(ofAda()).toBe(2)
  fail()
  clock.advance(3_599_999)
  expect(ofAda()).toBe(2)
  clock.advance(1)
  expect(ofAda()).toBe(10)
})

test('of more than 10,000 targets that did not respond, the first are forgotten', () => {
  const slots = targetSlots(manualClock())
  for (let at = 0; at <= 10_000; at++) {
    slots.take(to(String(at)))
    slots.release(to(String(at)), false)
  }
  expect([takeAll(slots, '10000'), takeAll(slots, '1'), takeAll(slots, '0')]).toEqual([1, 1, 32])
})
