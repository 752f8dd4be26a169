import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { manualClock } from '../../../test/support/clocks/manual-clock.ts'
import { StoreUnavailableError } from '../../data/backend/backend.ts'
import type { Clock } from '../../domain/clock.ts'
import { DataStoreOutageError, dataStoreOutageWatch } from './outage-watch.ts'
import { mebibyte } from '../../domain/sizes.ts'

const never = new AbortController().signal

/** A clock that knows how many of its intervals are not stopped. */
function countedClock() {
  const clock = manualClock()
  const running = new Set<() => void>()
  const every: Clock['every'] = (interval, work) => {
    const stop = clock.every(interval, work)
    running.add(stop)
    return () => {
      running.delete(stop)
      stop()
    }
  }
  return { ...clock, every, running: () => running.size }
}

/** A watch over a store that responds, fails or hangs, and an upload to it that the test ends. */
function uploadTo(length: number | null = mebibyte) {
  const clock = countedClock()
  const state: { store: 'responds' | 'fails' | 'hangs' | 'ignores the signal'; pings: number } = {
    store: 'responds',
    pings: 0,
  }
  const reasons: unknown[] = []
  const ping = (signal: AbortSignal): Promise<void> => {
    state.pings += 1
    if (state.store === 'responds') return Promise.resolve()
    if (state.store === 'fails') return Promise.reject(new Error('no'))
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason)
        if (state.store === 'hangs') reject(signal.reason as Error)
      })
    })
  }
  const watch = dataStoreOutageWatch({ ping }, clock)
  const work = Promise.withResolvers<undefined>()
  let workSignal = never
  const start = (signal = never) =>
    watch.during(length, signal, (ownSignal) => {
      workSignal = ownSignal
      return work.promise
    })
  let outcome: unknown = 'running'
  const begin = () => {
    start().then(
      () => (outcome = 'done'),
      (error: unknown) => (outcome = error),
    )
  }
  const after = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(Math.min(100, ms - passed))
      for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
    }
    return outcome
  }
  return { clock, state, reasons, work, start, begin, after, signal: () => workSignal }
}

test.each(['fails', 'hangs', 'ignores the signal'] as const)(
  'while the store %s, an upload ends within five seconds',
  async (store) => {
    const { state, reasons, begin, after, signal, work } = uploadTo()
    begin()
    state.store = store
    expect(await after(1_900)).toBe('running')
    expect(state.pings).toBe(0)
    expect(await after(1_300)).toBe('running')
    const error = await after(1_700)
    expect(error).toBeInstanceOf(DataStoreOutageError)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(error).toHaveProperty('message', 'the store does not respond')
    if (store !== 'fails') expect(reasons[0]).toHaveProperty('message', 'no response in time')
    expect(signal().reason).toBe(error)
    expect(state.pings).toBe(2)
    let isSettled = false
    const settled = (error as DataStoreOutageError).settled.then(() => (isSettled = true))
    await after(0)
    expect(isSettled).toBe(false)
    work.reject(new Error('cut'))
    await settled
  },
)

test('a store that responds again does not end the upload', async () => {
  const { state, begin, after, signal, work } = uploadTo()
  begin()
  state.store = 'fails'
  await after(2_000)
  state.store = 'responds'
  expect(await after(20_000)).toBe('running')
  expect(signal().aborted).toBe(false)
  expect(state.pings).toBeGreaterThan(8)
  work.resolve(undefined)
  expect(await after(100)).toBe('done')
  const { pings } = state
  await after(20_000)
  expect(state.pings).toBe(pings)
  expect(signal().aborted).toBe(false)
})

test('only the timer of the next check runs after a check, and none after the upload', async () => {
  const { clock, begin, after, work } = uploadTo()
  begin()
  await after(1_900)
  expect(clock.running()).toBe(1)
  await after(200)
  expect(clock.running()).toBe(1)
  work.resolve(undefined)
  await after(100)
  expect(clock.running()).toBe(0)
})

test('an upload that ends during a check leaves no timer', async () => {
  const clock = countedClock()
  const check = Promise.withResolvers<undefined>()
  const watch = dataStoreOutageWatch({ ping: () => check.promise }, clock)
  const work = Promise.withResolvers<undefined>()
  const upload = watch.during(1, never, () => work.promise)
  clock.advance(2_000)
  await nextIteration()
  work.resolve(undefined)
  await upload
  check.resolve(undefined)
  await nextIteration()
  expect(clock.running()).toBe(0)
})

test('a slow store that responds in time is available', async () => {
  const clock = manualClock()
  const slow = () =>
    new Promise<void>((resolve) => {
      const stop = clock.every(1_100, () => {
        stop()
        resolve()
      })
    })
  const watch = dataStoreOutageWatch({ ping: slow }, clock)
  const work = Promise.withResolvers<undefined>()
  let failure: unknown
  const upload = watch.during(1, never, () => work.promise).catch((error: unknown) => (failure = error))
  for (let passed = 0; passed < 20_000; passed += 100) {
    clock.advance(100)
    for (let tick = 0; tick < 20; tick += 1) await Promise.resolve()
  }
  expect(failure).toBeUndefined()
  work.resolve(undefined)
  await upload
})

test('uploads share a check', async () => {
  const { state, start, after, work } = uploadTo()
  const uploads = Array.from({ length: 10 }, () => start())
  await after(2_100)
  expect(state.pings).toBe(1)
  work.resolve(undefined)
  await Promise.all(uploads)
})

test.each([null, 16 * mebibyte + 1])(
  'a request with a length of %s waits for the retries of the store',
  async (length) => {
    const { state, begin, after } = uploadTo(length)
    state.store = 'fails'
    begin()
    expect(await after(20_000)).toBe('running')
    expect(state.pings).toBe(0)
  },
)

test.each([0, 16 * mebibyte])('a request of %i bytes is watched', async (length) => {
  const { state, begin, after } = uploadTo(length)
  state.store = 'fails'
  begin()
  expect(await after(5_000)).toBeInstanceOf(DataStoreOutageError)
})

test('the error of the upload is passed on, also while the store is unavailable', async () => {
  const { state, begin, after, work } = uploadTo()
  begin()
  state.store = 'fails'
  await after(2_500)
  const failure = new Error('no space')
  work.reject(failure)
  expect(await after(100)).toBe(failure)
  const { pings } = state
  await after(20_000)
  expect(state.pings).toBe(pings)
})

test('the signal of the request aborts the upload', async () => {
  const request = new AbortController()
  const { start, after, signal, work } = uploadTo()
  const upload = start(request.signal)
  await after(0)
  request.abort(new Error('gone'))
  expect(signal().reason).toBe(request.signal.reason)
  work.resolve(undefined)
  await upload
})

test.each([
  ['a file system', { ping: () => Promise.reject(new Error('no')), open: () => Promise.reject(new Error()) }],
  ['a store in memory', {}],
])('%s is not checked', async (_name, store) => {
  const clock = countedClock()
  const watch = dataStoreOutageWatch(store, clock)
  const failure = new Error('no space')
  const signals: AbortSignal[] = []
  const upload = watch.during(1, never, (signal) => {
    signals.push(signal)
    return Promise.reject(failure)
  })
  expect(clock.running()).toBe(0)
  expect(signals).toEqual([never])
  await expect(upload).rejects.toBe(failure)
})
