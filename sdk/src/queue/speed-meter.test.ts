import { expect, test } from 'vitest'
import { createSpeedMeter, secondsLeft } from './speed-meter.ts'

test('one sample yields no speed, two do', () => {
  const meter = createSpeedMeter()
  expect([meter.sample(0, 0), meter.sample(1000, 500)]).toEqual([0, 500])
})

test('a constant speed is reported unchanged', () => {
  const meter = createSpeedMeter()
  let speed = 0
  for (let at = 0; at <= 10_000; at += 500) speed = meter.sample(at, at * 2)
  expect(speed).toBeCloseTo(2000, 6)
})

test('a short stall lowers the speed a little, a long one nearly to zero', () => {
  const meter = createSpeedMeter()
  meter.sample(0, 0)
  meter.sample(1000, 1000)
  const soon = meter.sample(1500, 1000)
  expect(soon).toBeGreaterThan(800)
  expect(meter.sample(61_500, 1000)).toBeLessThan(1)
})

test('a retry, which reduces the sent bytes, does not count', () => {
  const meter = createSpeedMeter()
  meter.sample(0, 0)
  meter.sample(1000, 1000)
  expect(meter.sample(2000, 200)).toBe(1000)
  expect(meter.sample(3000, 1200)).toBe(1000)
})

test('two samples at the same time do not divide by zero', () => {
  const meter = createSpeedMeter()
  meter.sample(0, 0)
  expect(meter.sample(0, 100)).toBe(0)
})

test('the remaining time is unknown without a speed', () => {
  expect([secondsLeft(1000, 0), secondsLeft(1000, 100), secondsLeft(0, 100)]).toEqual([undefined, 10, 0])
})
