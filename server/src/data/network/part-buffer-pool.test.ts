import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { StoreUnavailableError } from '../backend/backend.ts'
import { partBufferPool, type UploadBuffers } from './part-buffer-pool.ts'

const never = new AbortController().signal
const limits = { size: 10, shared: 40, max: 60, timeout: 60_000 }

/** The state of a request that may have to wait. */
function watch(taking: Promise<Uint8Array<ArrayBuffer>>) {
  const state = { got: undefined as Uint8Array<ArrayBuffer> | undefined }
  taking.then(
    (memory) => {
      state.got = memory
    },
    () => undefined,
  )
  return state
}
const lengthsOf = (parts: readonly Uint8Array[]) => parts.map(({ length }) => length)
const takeAll = (shares: readonly UploadBuffers[]) => Promise.all(shares.map((share) => share.acquire(never)))

test('one upload gets the shared memory, and no more until it releases some', async () => {
  const share = partBufferPool(limits).forUpload()
  const [first = new Uint8Array()] = await takeAll([share, share, share, share])
  const fifth = watch(share.acquire(never))
  await nextIteration()
  expect(fifth.got).toBeUndefined()
  share.release(first)
  await nextIteration()
  expect(fifth.got).toHaveLength(10)
})

test('an upload without memory gets a part beyond the shared memory, up to the maximum', async () => {
  const memory = partBufferPool(limits)
  const fast = memory.forUpload()
  await takeAll([fast, fast, fast, fast])
  const slow = [memory.forUpload(), memory.forUpload()]
  const [held = new Uint8Array(), ...others] = await takeAll(slow)
  expect(others).toHaveLength(1)
  const seventh = watch(memory.forUpload().acquire(never))
  await nextIteration()
  expect(seventh.got).toBeUndefined()
  slow[0]?.discard(held)
  await nextIteration()
  expect(seventh.got).toHaveLength(10)
})

test('an upload without memory gets it before uploads that want more', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, max: 10 })
  const fast = memory.forUpload()
  const held = await fast.acquire(never)
  const greedy = watch(fast.acquire(never))
  const poor = watch(memory.forUpload().acquire(never))
  fast.release(held)
  await nextIteration()
  // The first upload holds nothing any more, and was first in the queue.
  expect([greedy.got?.length, poor.got]).toEqual([10, undefined])

  const second = partBufferPool({ ...limits, shared: 20, max: 20 })
  const rich = second.forUpload()
  const [part = new Uint8Array()] = await takeAll([rich, rich])
  const third = watch(rich.acquire(never))
  const other = watch(second.forUpload().acquire(never))
  rich.release(part)
  await nextIteration()
  expect([third.got, other.got?.length]).toEqual([undefined, 10])
})

test('the uploads of one sender leave half of the memory to others, who do not wait behind them', async () => {
  const memory = partBufferPool(limits)
  const ofOne = Array.from({ length: 4 }, () => memory.forUpload('one'))
  const [first = new Uint8Array()] = await takeAll(ofOne.slice(0, 3))
  const fourth = watch(ofOne[3]?.acquire(never) ?? Promise.reject(new Error('missing')))
  await nextIteration()
  expect(fourth.got).toBeUndefined()

  expect(await takeAll([memory.forUpload('two'), memory.forUpload('two'), memory.forUpload()])).toHaveLength(
    3,
  )
  ofOne[0]?.release(first)
  await nextIteration()
  expect(fourth.got).toHaveLength(10)
})

test('a sender gets small parts up to half of the memory', async () => {
  const memory = partBufferPool({ ...limits, shared: 10 })
  const take = () => memory.forUpload('one').acquire(never, 4)
  expect(
    lengthsOf([await take(), await take(), await take(), await take(), await take(), await take()]),
  ).toEqual([10, 4, 4, 4, 4, 4])
  const seventh = watch(take())
  await nextIteration()
  expect(seventh.got).toBeUndefined()
})

test('a sender always gets one part, and more when memory is free again', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, max: 10 })
  const share = memory.forUpload('one')
  for (let turn = 0; turn < 3; turn += 1) share.release(await share.acquire(never))
  expect(await share.acquire(never)).toHaveLength(10)
})

test('reuses released memory, but not discarded memory', async () => {
  const share = partBufferPool(limits).forUpload()
  const [kept, used = new Uint8Array()] = await takeAll([share, share])
  share.release(used)
  expect(await share.acquire(never)).toBe(used)
  share.discard(used)
  expect([kept, used]).not.toContain(await share.acquire(never))
})

test('a request that waits too long fails, and later ones do not wait behind it', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, max: 10, timeout: 1 })
  const share = memory.forUpload()
  const held = await share.acquire(never)
  await expect(memory.forUpload().acquire(never)).rejects.toThrow(StoreUnavailableError)
  share.release(held)
  expect(await memory.forUpload().acquire(never)).toHaveLength(10)
})

test('an aborted request takes nothing', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, max: 10 })
  const share = memory.forUpload()
  const held = await share.acquire(never)
  const abort = new AbortController()
  const taking = memory.forUpload().acquire(abort.signal)
  const reason = new Error('cut')
  abort.abort(reason)
  await expect(taking).rejects.toBe(reason)
  await expect(memory.forUpload().acquire(AbortSignal.abort(reason))).rejects.toBe(reason)
  share.release(held)
  expect(await memory.forUpload().acquire(never)).toHaveLength(10)
})

test('a request with a minimum gets whole parts, then the rest, and then its minimum', async () => {
  const memory = partBufferPool({ ...limits, shared: 27, max: 33 })
  const take = () => memory.forUpload().acquire(never, 3)
  expect(lengthsOf([await take(), await take(), await take(), await take(), await take()])).toEqual([
    ...[10, 10, 6, 3, 3],
  ])
  const last = watch(take())
  await nextIteration()
  expect(last.got).toBeUndefined()
})

test('an upload with memory gets no small part beyond the shared memory', async () => {
  const memory = partBufferPool({ ...limits, shared: 10 })
  const share = memory.forUpload()
  const whole = await share.acquire(never, 3)
  const second = watch(share.acquire(never, 3))
  await nextIteration()
  expect([whole.length, second.got]).toEqual([10, undefined])
  expect(await memory.forUpload().acquire(never, 3)).toHaveLength(3)
  share.release(whole)
  await nextIteration()
  expect(second.got).toHaveLength(6)
})

test('a released large part serves all requests for small ones', async () => {
  const memory = partBufferPool({ ...limits, shared: 0, max: 10 })
  const share = memory.forUpload()
  const whole = await share.acquire(never)
  const waiting = Array.from({ length: 3 }, () => watch(memory.forUpload().acquire(never, 5)))
  share.release(whole)
  await nextIteration()
  expect(waiting.map(({ got }) => got?.length)).toEqual([5, 5, undefined])
})

test('released small parts are never reused as whole ones', async () => {
  const memory = partBufferPool({ ...limits, shared: 23 })
  const [first, second, third] = [memory.forUpload(), memory.forUpload(), memory.forUpload()]
  const whole = await first.acquire(never)
  await second.acquire(never)
  const small = await third.acquire(never, 3)
  third.release(small)
  first.discard(whole)
  expect(small).toHaveLength(3)
  expect(await first.acquire(never)).toHaveLength(10)
})

test('a request for less than a part gets no more, and leaves the rest to others', async () => {
  const memory = partBufferPool(limits)
  const modest = memory.forUpload()
  const parts = await Promise.all([4, 4, 4].map((most) => modest.acquire(never, 2, most)))
  expect(parts.map(({ length }) => length)).toEqual([4, 4, 4])
  const other = memory.forUpload()
  expect((await takeAll([other, other])).map(({ length }) => length)).toEqual([10, 10])
  // 8 bytes are left: the largest multiple of the minimum.
  expect(await modest.acquire(never, 3, 9)).toHaveLength(6)
  for (const part of parts) modest.release(part)
  expect(await memory.forUpload().acquire(never)).toHaveLength(10)
})

test('the memory of the process bounds the shared memory and the maximum, but one part is always allowed', async () => {
  /** The parts that uploads get at once: one upload, then one part each. */
  const parts = async (memory: number) => {
    const pool = partBufferPool({ ...limits, memory })
    const upload = pool.forUpload()
    const requests = Array.from({ length: 10 }, (_, index) =>
      watch((index < 5 ? upload : pool.forUpload()).acquire(never)),
    )
    await nextIteration()
    return requests.filter(({ got }) => got !== undefined).length
  }
  expect(await Promise.all([1_000, 60, 40, 39, 20, 9, 0].map(parts))).toEqual([6, 6, 4, 3, 2, 1, 1])
})

test('uploads wait as long as others release memory, in their order', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const memory = partBufferPool({ ...limits, memory: 10 })
    let holder = memory.forUpload()
    let held = await holder.acquire(never)
    const uploads = Array.from({ length: 5 }, () => memory.forUpload())
    const requests = uploads.map((upload) => upload.acquire(never))
    const last = expect(requests[4]).rejects.toThrow(StoreUnavailableError)
    for (const [index, upload] of uploads.slice(0, 4).entries()) {
      vi.advanceTimersByTime(limits.timeout - 1)
      holder.release(held)
      holder = upload
      held = (await requests[index]) ?? new Uint8Array()
    }
    vi.advanceTimersByTime(limits.timeout)
    await last
  } finally {
    vi.useRealTimers()
  }
})

test('uploads that need less do not overtake one without memory that waits for a whole part', async () => {
  const memory = partBufferPool({ ...limits, shared: 0, max: 20 })
  const small = [memory.forUpload(), memory.forUpload(), memory.forUpload()]
  const parts = await Promise.all(small.map((upload) => upload.acquire(never, 5)))
  const whole = watch(memory.forUpload().acquire(never))
  const abort = new AbortController()
  const gone = memory.forUpload().acquire(abort.signal)
  const later = [watch(memory.forUpload().acquire(never, 5)), watch(memory.forUpload().acquire(never, 5))]
  await nextIteration()
  expect([whole, ...later].map(({ got }) => got?.length)).toEqual([undefined, undefined, undefined])
  small[0]?.release(parts[0] ?? new Uint8Array())
  await nextIteration()
  expect([whole, ...later].map(({ got }) => got?.length)).toEqual([10, undefined, undefined])
  small[1]?.release(parts[1] ?? new Uint8Array())
  abort.abort(new Error('cut'))
  await expect(gone).rejects.toThrow('cut')
  await nextIteration()
  expect(later.map(({ got }) => got?.length)).toEqual([5, undefined])
})
