import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailableError } from './backend.ts'
import { partMemory, type PartShare } from './part-memory.ts'

const never = new AbortController().signal
const limits = { size: 10, shared: 4, most: 6, patience: 60_000, keep: 1_000 }

/** What became of something that may have to wait. */
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
const turn = () => new Promise((resolve) => setImmediate(resolve))
const takeAll = (shares: readonly PartShare[]) => Promise.all(shares.map((share) => share.take(never)))

test('one upload gets what is shared, and no more until it gives some back', async () => {
  const share = partMemory(limits).open()
  const [first = new Uint8Array()] = await takeAll([share, share, share, share])
  const fifth = watch(share.take(never))
  await turn()
  expect(fifth.got).toBeUndefined()
  share.give(first)
  await turn()
  expect(fifth.got).toHaveLength(10)
})

test('who holds nothing gets a part beyond what is shared, up to the most', async () => {
  const memory = partMemory(limits)
  const fast = memory.open()
  await takeAll([fast, fast, fast, fast])
  const slow = [memory.open(), memory.open()]
  expect(await takeAll(slow)).toHaveLength(2)
  const seventh = watch(memory.open().take(never))
  await turn()
  expect(seventh.got).toBeUndefined()
  slow[0]?.forfeit()
  await turn()
  expect(seventh.got).toHaveLength(10)
})

test('who holds nothing is served before those who want more', async () => {
  const memory = partMemory({ ...limits, shared: 1, most: 1 })
  const fast = memory.open()
  const held = await fast.take(never)
  const greedy = watch(fast.take(never))
  const poor = watch(memory.open().take(never))
  fast.give(held)
  await turn()
  // The greedy one holds nothing any more, and was first.
  expect([greedy.got?.length, poor.got]).toEqual([10, undefined])

  const second = partMemory({ ...limits, shared: 2, most: 2 })
  const rich = second.open()
  const [one = new Uint8Array()] = await takeAll([rich, rich])
  const third = watch(rich.take(never))
  const other = watch(second.open().take(never))
  rich.give(one)
  await turn()
  expect([third.got, other.got?.length]).toEqual([undefined, 10])
})

test('memory that was given back is used again, memory that was forfeited is not', async () => {
  const share = partMemory(limits).open()
  const [kept, used = new Uint8Array()] = await takeAll([share, share])
  share.give(used)
  expect(await share.take(never)).toBe(used)
  share.forfeit()
  expect([kept, used]).not.toContain(await share.take(never))
})

test('memory is kept for the next upload, but not for long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const memory = partMemory(limits)
  const pass = async () => {
    const share = memory.open()
    const taken = await share.take(never)
    share.give(taken)
    return taken
  }
  const first = await pass()
  vi.advanceTimersByTime(999)
  expect(await pass()).toBe(first)
  vi.advanceTimersByTime(999)
  expect(await pass()).toBe(first)
  vi.advanceTimersByTime(1_000)
  expect(await pass()).not.toBe(first)
})

test('memory in use is no reason to forget what is free', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const share = partMemory(limits).open()
  const [, free = new Uint8Array()] = await takeAll([share, share])
  share.give(free)
  vi.advanceTimersByTime(5_000)
  expect(await share.take(never)).toBe(free)
})

test('who waits too long is told so, and nobody waits behind him', async () => {
  const memory = partMemory({ ...limits, shared: 1, most: 1, patience: 1 })
  const share = memory.open()
  const held = await share.take(never)
  await expect(memory.open().take(never)).rejects.toThrow(StoreUnavailableError)
  share.give(held)
  expect(await memory.open().take(never)).toHaveLength(10)
})

test('who is called off while he waits takes nothing', async () => {
  const memory = partMemory({ ...limits, shared: 1, most: 1 })
  const share = memory.open()
  const held = await share.take(never)
  const abort = new AbortController()
  const taking = memory.open().take(abort.signal)
  const reason = new Error('cut')
  abort.abort(reason)
  await expect(taking).rejects.toBe(reason)
  await expect(memory.open().take(AbortSignal.abort(reason))).rejects.toBe(reason)
  share.give(held)
  expect(await memory.open().take(never)).toHaveLength(10)
})
