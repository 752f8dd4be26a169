import { expect, test } from 'vitest'
import { watchPauses } from './pause-watch.ts'

/** A watch whose interval ends when the test says so. */
function watch() {
  const state = { size: 0, pauses: 0, isHandled: true, interval: 0, isStopped: false }
  let tick: () => void = () => undefined
  const clock = {
    now: () => 0,
    every(interval: number, work: () => void) {
      state.interval = interval
      tick = work
      return () => {
        state.isStopped = true
      }
    },
  }
  const stop = watchPauses(
    clock,
    () => state.size,
    () => {
      state.pauses += 1
      return state.isHandled
    },
  )
  const afterSeconds = (count: number) => {
    for (let second = 0; second < count; second += 1) tick()
    return state.pauses
  }
  return { state, stop, afterSeconds }
}

test('a sender that sends in every second does not pause', () => {
  const { state, afterSeconds } = watch()
  for (state.size = 1; state.size < 10; state.size += 1) expect(afterSeconds(1)).toBe(0)
  expect(state.interval).toBe(1_000)
})

test('a sender that has not begun does not pause', () => {
  expect(watch().afterSeconds(10)).toBe(0)
})

test('each pause is reported once, after a second without a byte', () => {
  const { state, afterSeconds } = watch()
  state.size = 10
  expect(afterSeconds(1)).toBe(0)
  expect(afterSeconds(1)).toBe(1)
  expect(afterSeconds(10)).toBe(1)
  state.size = 20
  expect(afterSeconds(1)).toBe(1)
  expect(afterSeconds(10)).toBe(2)
})

test('a pause that could not be handled is reported again', () => {
  const { state, afterSeconds } = watch()
  state.isHandled = false
  state.size = 10
  expect(afterSeconds(4)).toBe(3)
  state.isHandled = true
  expect(afterSeconds(4)).toBe(4)
})

test('the end of the watch ends the interval', () => {
  const { state, stop } = watch()
  expect(state.isStopped).toBe(false)
  stop()
  expect(state.isStopped).toBe(true)
})
