import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../backend/backend.ts'
import { partBufferPool, type PartShare } from './part-buffer-pool.ts'

const never = new AbortController().signal
const limits = { size: 10, shared: 40, most: 60, patience: 60_000 }

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
  const share = partBufferPool(limits).open()
  const [first = new Uint8Array()] = await takeAll([share, share, share, share])
  const fifth = watch(share.take(never))
  await turn()
  expect(fifth.got).toBeUndefined()
  share.give(first)
  await turn()
  expect(fifth.got).toHaveLength(10)
})

test('who holds nothing gets a part beyond what is shared, up to the most', async () => {
  const memory = partBufferPool(limits)
  const fast = memory.open()
  await takeAll([fast, fast, fast, fast])
  const slow = [memory.open(), memory.open()]
  const [held = new Uint8Array(), ...others] = await takeAll(slow)
  expect(others).toHaveLength(1)
  const seventh = watch(memory.open().take(never))
  await turn()
  expect(seventh.got).toBeUndefined()
  slow[0]?.forfeit(held)
  await turn()
  expect(seventh.got).toHaveLength(10)
})

test('who holds nothing is served before those who want more', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, most: 10 })
  const fast = memory.open()
  const held = await fast.take(never)
  const greedy = watch(fast.take(never))
  const poor = watch(memory.open().take(never))
  fast.give(held)
  await turn()
  // The greedy one holds nothing any more, and was first.
  expect([greedy.got?.length, poor.got]).toEqual([10, undefined])

  const second = partBufferPool({ ...limits, shared: 20, most: 20 })
  const rich = second.open()
  const [one = new Uint8Array()] = await takeAll([rich, rich])
  const third = watch(rich.take(never))
  const other = watch(second.open().take(never))
  rich.give(one)
  await turn()
  expect([third.got, other.got?.length]).toEqual([undefined, 10])
})

test('memory that was given back is used again, memory that was forfeited is not', async () => {
  const share = partBufferPool(limits).open()
  const [kept, used = new Uint8Array()] = await takeAll([share, share])
  share.give(used)
  expect(await share.take(never)).toBe(used)
  share.forfeit(used)
  expect([kept, used]).not.toContain(await share.take(never))
})

test('who waits too long is told so, and nobody waits behind him', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, most: 10, patience: 1 })
  const share = memory.open()
  const held = await share.take(never)
  await expect(memory.open().take(never)).rejects.toThrow(StoreUnavailableError)
  share.give(held)
  expect(await memory.open().take(never)).toHaveLength(10)
})

test('who is called off while he waits takes nothing', async () => {
  const memory = partBufferPool({ ...limits, shared: 10, most: 10 })
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

const lengthsOf = (parts: readonly Uint8Array[]) => parts.map(({ length }) => length)

test('who can do with less gets whole parts, then what is left, and then as little as will do', async () => {
  const memory = partBufferPool({ ...limits, shared: 27, most: 33 })
  const take = () => memory.open().take(never, 3)
  expect(lengthsOf([await take(), await take(), await take(), await take(), await take()])).toEqual([
    ...[10, 10, 6, 3, 3],
  ])
  const last = watch(take())
  await turn()
  expect(last.got).toBeUndefined()
})

test('who holds something does not get a small part beyond what is shared', async () => {
  const memory = partBufferPool({ ...limits, shared: 10 })
  const share = memory.open()
  const whole = await share.take(never, 3)
  const second = watch(share.take(never, 3))
  await turn()
  expect([whole.length, second.got]).toEqual([10, undefined])
  expect(await memory.open().take(never, 3)).toHaveLength(3)
  share.give(whole)
  await turn()
  expect(second.got).toHaveLength(6)
})

test('a large part that comes back serves all who wait for small ones', async () => {
  const memory = partBufferPool({ ...limits, shared: 0, most: 10 })
  const share = memory.open()
  const whole = await share.take(never)
  const waiting = Array.from({ length: 3 }, () => watch(memory.open().take(never, 5)))
  share.give(whole)
  await turn()
  expect(waiting.map(({ got }) => got?.length)).toEqual([5, 5, undefined])
})

test('small parts that came back are never taken for whole ones', async () => {
  const memory = partBufferPool({ ...limits, shared: 23 })
  const [first, second, third] = [memory.open(), memory.open(), memory.open()]
  const whole = await first.take(never)
  await second.take(never)
  const small = await third.take(never, 3)
  third.give(small)
  first.forfeit(whole)
  expect(small).toHaveLength(3)
  expect(await first.take(never)).toHaveLength(10)
})

test('who wants less than a part gets no more, and leaves the rest to others', async () => {
  const memory = partBufferPool(limits)
  const modest = memory.open()
  const parts = await Promise.all([4, 4, 4].map((most) => modest.take(never, 2, most)))
  expect(parts.map(({ length }) => length)).toEqual([4, 4, 4])
  const other = memory.open()
  expect((await takeAll([other, other])).map(({ length }) => length)).toEqual([10, 10])
  // 8 bytes are left: as much of them as is wanted, in multiples of what will do.
  expect(await modest.take(never, 3, 9)).toHaveLength(6)
  for (const part of parts) modest.give(part)
  expect(await memory.open().take(never)).toHaveLength(10)
})
