import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreBody } from './body.ts'
import { resumedRead } from './resumed-read.ts'

const content = Uint8Array.from({ length: 20 }, (_, index) => index)

/** Gives bytes by fives, and breaks where it is told to. */
function body(from: number, breakAt = Infinity) {
  let position = from
  const state = { ended: false, cut: false }
  const read = () => {
    if (position >= breakAt) return Promise.reject(new Error('broken'))
    const chunk = content.subarray(position, position + 5)
    position += chunk.length
    if (chunk.length > 0) return Promise.resolve(chunk)
    state.ended = true
    return Promise.resolve(undefined)
  }
  const cut = () => {
    state.cut = true
  }
  const opened: StoreBody & { readonly state: typeof state } = { read, cut, state }
  return opened
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const all: number[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}

const nowhere = () => Promise.reject(new Error('not to be opened again'))

test('a body is read to its very end, which leaves its connection to others', async () => {
  const first = body(0)
  expect(await collect(resumedRead(first, { length: 20, reopen: nowhere }))).toEqual([...content])
  expect(first.state.ended).toBe(true)
})

test('it goes on where it broke, and lets go of what broke', async () => {
  const first = body(0, 10)
  const asked: number[] = []
  const reopen = (from: number) => {
    asked.push(from)
    return Promise.resolve(body(from))
  }
  expect(await collect(resumedRead(first, { length: 20, reopen }))).toEqual([...content])
  expect(asked).toEqual([10])
  expect(first.state).toEqual({ ended: false, cut: true })
})

test('an end before the last byte is none', async () => {
  const chunks = resumedRead(body(15), { length: 20, reopen: (from) => Promise.resolve(body(from)) })
  expect(await collect(chunks)).toHaveLength(20)
})

test('it gives up what breaks six times in vain', async () => {
  let opened = 1
  const reopen = (from: number) => {
    opened += 1
    return Promise.resolve(body(from, from))
  }
  await expect(collect(resumedRead(body(0, 5), { length: 20, reopen }))).rejects.toThrow(
    StoreUnavailableError,
  )
  expect(opened).toBe(6)
})

test('whoever leaves before the first byte lets go', async () => {
  const first = body(0)
  await resumedRead(first, { length: 20, reopen: nowhere })[Symbol.asyncIterator]().return?.()
  expect(first.state).toEqual({ ended: false, cut: true })
})

test('whoever leaves while it is opened again lets go of that, too', async () => {
  const again = Promise.withResolvers<StoreBody>()
  const chunks = resumedRead(body(0, 0), { length: 20, reopen: () => again.promise })[Symbol.asyncIterator]()
  const next = chunks.next()
  await new Promise((resolve) => setImmediate(resolve))
  await chunks.return?.()
  const second = body(0)
  again.resolve(second)
  expect(await next).toEqual({ done: true, value: undefined })
  expect(second.state.cut).toBe(true)
})
