import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { cleanupBar } from './cleanup-bar.ts'

function drawing(isTTY: boolean, total: number) {
  const clock = { time: 0, now: () => clock.time, every: () => () => undefined }
  const errors = new PassThrough()
  const output = Object.assign(new PassThrough(), { isTTY })
  const bar = cleanupBar({ output, errors, clock }, total)
  const text = () => String(errors.read() ?? '')
  return { bar, clock, text }
}

test('a cleanup on a terminal shows its progress, its speed and the time left', () => {
  const { bar, clock, text } = drawing(true, 200)
  clock.time = 1_000
  bar.onProgress('expiredUploads', 20)
  expect(text()).toBe(`\r[##${'-'.repeat(22)}] 10 % · 20 per second · 9 s left\x1b[K`)
  clock.time = 2_000
  bar.onProgress('blankedUploads', 20)
  expect(text()).toBe('')
  bar.onProgress('deletedFiles', 80)
  expect(text()).toBe(`\r[${'#'.repeat(12)}${'-'.repeat(12)}] 50 % · 50 per second · 2 s left\x1b[K`)
  bar.end()
  expect(text()).toBe('\r\x1b[K')
})

test.each([
  [false, 200],
  [true, 0],
])('without a terminal or without work, nothing is drawn', (isTTY, total) => {
  const { bar, clock, text } = drawing(isTTY, total)
  clock.time = 1_000
  bar.onProgress('deletedFiles', 20)
  bar.end()
  expect(text()).toBe('')
})
