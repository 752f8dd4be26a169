import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../backend/backend.ts'
import type { StoreBody } from './body.ts'
import { resumedRead } from './resumed-read.ts'

const content = Uint8Array.from({ length: 20 }, (_, index) => index)

/** Returns five bytes at a time, and fails at `breakAt`. */
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
  const opened: StoreBody & { readonly state: typeof state } = { read, destroy: cut, state }
  return opened
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const all: number[] = []
  for await (const chunk of chunks) all.push(...chunk)
  return all
}

const nowhere = () => Promise.reject(new Error('not to be opened again'))

test('reads a body to its end, so that its connection can be reused', async () => {
  const first = body(0)
  expect(await collect(resumedRead(first, { length: 20, reopen: nowhere }))).toEqual([...content])
  expect(first.state.ended).toBe(true)
})

test('resumes where the connection broke, and destroys the broken body', async () => {
  const first = body(0, 10)
  const offsets: number[] = []
  const reopen = (from: number) => {
    offsets.push(from)
    return Promise.resolve(body(from))
  }
  expect(await collect(resumedRead(first, { length: 20, reopen }))).toEqual([...content])
  expect(offsets).toEqual([10])
  expect(first.state).toEqual({ ended: false, cut: true })
})

test('an early end counts as a broken connection', async () => {
  const chunks = resumedRead(body(15), { length: 20, reopen: (from) => Promise.resolve(body(from)) })
  expect(await collect(chunks)).toHaveLength(20)
})

test('fails after six connections without progress', async () => {
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

test('a reader that stops before the first byte destroys the body', async () => {
  const first = body(0)
  await resumedRead(first, { length: 20, reopen: nowhere })[Symbol.asyncIterator]().return?.()
  expect(first.state).toEqual({ ended: false, cut: true })
})

test('a reader that stops during a reconnect destroys the new body', async () => {
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
