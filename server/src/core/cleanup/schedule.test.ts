import { pino } from 'pino'
import { expect, test } from 'vitest'
import { manualClock } from '../../../test/support/clocks/manual-clock.ts'
import { cleanupRequests, scheduleCleanup } from './schedule.ts'

/** A schedule whose cleanups the test ends. */
function schedule() {
  const clock = manualClock()
  const state = { mayClean: true, started: 0 }
  const running: PromiseWithResolvers<unknown>[] = []
  const signals: AbortSignal[] = []
  const lines: string[] = []
  const requests = cleanupRequests()
  const stop = scheduleCleanup({
    clock,
    log: pino({}, { write: (line) => lines.push(line) }),
    interval: 60,
    requests,
    mayClean: () => Promise.resolve(state.mayClean),
    clean(signal) {
      state.started += 1
      signals.push(signal)
      const cleanup = Promise.withResolvers<unknown>()
      running.push(cleanup)
      return cleanup.promise
    },
  })
  const settled = async () => {
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
  }
  return {
    clock,
    state,
    signals,
    lines,
    requests,
    stop,
    afterSeconds: async (seconds: number) => {
      clock.advance(seconds * 1_000)
      await settled()
      return state.started
    },
    afterEnd: async (error?: Error) => {
      const cleanup = running.shift()
      if (error === undefined) cleanup?.resolve(undefined)
      else cleanup?.reject(error)
      await settled()
      return state.started
    },
    afterRequest: async () => {
      requests.request()
      await settled()
      return state.started
    },
  }
}

test('a cleanup runs at each interval, and only one at a time', async () => {
  const { afterSeconds, afterEnd } = schedule()
  expect(await afterSeconds(59)).toBe(0)
  expect(await afterSeconds(1)).toBe(1)
  expect(await afterSeconds(120)).toBe(1)
  expect(await afterEnd()).toBe(1)
  expect(await afterSeconds(60)).toBe(2)
})

test('a request starts a cleanup at once', async () => {
  const { afterRequest, afterEnd, afterSeconds } = schedule()
  expect(await afterRequest()).toBe(1)
  expect(await afterEnd()).toBe(1)
  expect(await afterSeconds(60)).toBe(2)
})

test('requests during a cleanup start one more after it', async () => {
  const { afterRequest, afterEnd } = schedule()
  await afterRequest()
  await afterRequest()
  expect(await afterRequest()).toBe(1)
  expect(await afterEnd()).toBe(2)
  expect(await afterEnd()).toBe(2)
})

test('while nothing may be deleted, no cleanup runs', async () => {
  const { state, afterSeconds, afterRequest } = schedule()
  state.mayClean = false
  expect(await afterSeconds(60)).toBe(0)
  expect(await afterRequest()).toBe(0)
  state.mayClean = true
  expect(await afterSeconds(60)).toBe(1)
})

test('a failure is logged, and the next interval has another cleanup', async () => {
  const { afterSeconds, afterEnd, lines } = schedule()
  await afterSeconds(60)
  await afterEnd(new Error('the database is unavailable'))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('cleanup failed')
  expect(await afterSeconds(60)).toBe(2)
})

test('a stop aborts the running cleanup, waits for its end, and starts no other', async () => {
  const { afterSeconds, afterEnd, afterRequest, stop, signals, lines } = schedule()
  await afterSeconds(60)
  await afterRequest()
  let isStopped = false
  const stopped = stop().then(() => {
    isStopped = true
  })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(await afterSeconds(60)).toBe(1)
  expect(isStopped).toBe(false)
  expect(await afterEnd(new Error('aborted'))).toBe(1)
  await stopped
  expect(await afterRequest()).toBe(1)
  expect(await afterSeconds(60)).toBe(1)
  expect(lines).toEqual([])
})

test('a request without a schedule has no effect, and later ones reach every listener', () => {
  const requests = cleanupRequests()
  const calls: string[] = []
  requests.request()
  requests.onRequest(() => calls.push('one'))
  requests.onRequest(() => calls.push('two'))
  requests.request()
  expect(calls).toEqual(['one', 'two'])
})
