import { expect, test } from 'vitest'
import { manualClock } from '../../test/support/clocks/manual-clock.ts'
import { compactAfterLoad } from './compact-heap.ts'

const megabyte = 1024 * 1024

/** A thread of a server that has just started. */
function startedThread() {
  const thread = {
    utilization: 0,
    heapSize: 25 * megabyte,
    free: 0,
    compactions: 0,
  }
  const clock = manualClock()
  const stop = compactAfterLoad(clock, {
    utilization: () => thread.utilization,
    heapSize: () => thread.heapSize,
    compact: () => {
      thread.compactions += 1
      thread.heapSize = 26 * megabyte
    },
    trim: () => {
      const freed = thread.free
      thread.free = 0
      return freed
    },
  })
  return { thread, stop, pass: () => clock.advance(10_000) }
}

/** A thread whose garbage of the start has been collected. */
function idleThread() {
  const started = startedThread()
  started.pass()
  started.thread.compactions = 0
  return started
}

test('the garbage of the start is collected once, when the server is idle', () => {
  const { thread, pass } = startedThread()
  thread.utilization = 0.02
  pass()
  expect(thread.compactions).toBe(0)
  thread.utilization = 0.019
  pass()
  pass()
  expect(thread.compactions).toBe(1)
})

test('a heap that has grown is compacted once, when the server is idle', () => {
  const { thread, stop, pass } = idleThread()
  thread.heapSize = 80 * megabyte
  thread.utilization = 0.02
  pass()
  expect(thread.compactions).toBe(0)
  thread.utilization = 0.019
  pass()
  pass()
  expect(thread.compactions).toBe(1)
  thread.heapSize = 80 * megabyte
  pass()
  expect(thread.compactions).toBe(2)
  thread.heapSize = 80 * megabyte
  stop()
  pass()
  expect(thread.compactions).toBe(2)
})

test('less than 16 MB are not worth a pause', () => {
  const { thread, pass } = idleThread()
  thread.heapSize = 42 * megabyte - 1
  pass()
  expect(thread.compactions).toBe(0)
  thread.heapSize += 1
  pass()
  expect(thread.compactions).toBe(1)
})

test('buffers are given up when the server is idle, and count like the heap', () => {
  const { thread, pass } = idleThread()
  thread.free = 10 * megabyte
  thread.utilization = 0.02
  pass()
  expect(thread.free).toBe(10 * megabyte)
  thread.utilization = 0
  pass()
  expect(thread).toMatchObject({ free: 0 })
  expect(thread.compactions).toBe(0)
  thread.free = 6 * megabyte
  pass()
  expect(thread.compactions).toBe(1)
  thread.free = 6 * megabyte
  pass()
  expect(thread.compactions).toBe(1)
})
