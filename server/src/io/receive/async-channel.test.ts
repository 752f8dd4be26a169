import { expect, test } from 'vitest'
import { asyncChannel } from './async-channel.ts'

/** A channel for the values that the test puts into a queue. */
function channel() {
  const queue: string[] = []
  const taken: (string | undefined)[] = []
  const ends: ('complete' | 'early')[] = []
  const opened = asyncChannel<string>({
    take() {
      const value = queue.shift()
      taken.push(value)
      return value
    },
    onEnd: (how) => ends.push(how),
  })
  const reader = opened.values[Symbol.asyncIterator]()
  const put = (value: string) => {
    queue.push(value)
    opened.offer()
  }
  return { ...opened, queue, taken, ends, reader, put }
}

const value = (text: string) => ({ done: false, value: text })
const end = { done: true, value: undefined }

test('a reader gets values that wait for it, and waits for further ones', async () => {
  const { reader, put, finish, ends } = channel()
  put('a')
  put('b')
  expect(await reader.next()).toEqual(value('a'))
  expect(await reader.next()).toEqual(value('b'))
  const next = reader.next()
  put('c')
  expect(await next).toEqual(value('c'))
  const last = reader.next()
  finish()
  expect(await last).toEqual(end)
  expect(ends).toEqual(['complete'])
  expect(await reader.next()).toEqual(end)
  expect(ends).toEqual(['complete'])
})

test('a wait continues while there is no value', async () => {
  const { reader, offer, put } = channel()
  const next = reader.next()
  offer()
  put('a')
  expect(await next).toEqual(value('a'))
})

test('values before the end are read before it', async () => {
  const { reader, put, finish, ends } = channel()
  put('a')
  finish()
  expect(await reader.next()).toEqual(value('a'))
  expect(ends).toEqual([])
  expect(await reader.next()).toEqual(end)
  expect(ends).toEqual(['complete'])
})

test('a failure ends a wait, once', async () => {
  const { reader, fail, ends } = channel()
  const failure = new Error('broken')
  const next = reader.next()
  fail(failure)
  await expect(next).rejects.toBe(failure)
  expect(await reader.next()).toEqual(end)
  expect(ends).toEqual([])
})

test('a failure takes precedence over waiting values, and releases the current one', async () => {
  const { reader, put, fail, queue, taken } = channel()
  put('a')
  put('b')
  await reader.next()
  fail(new Error('first'))
  fail(new Error('second'))
  queue.length = 0
  await expect(reader.next()).rejects.toThrow('first')
  expect(taken).toEqual(['a', undefined])
  expect(await reader.next()).toEqual(end)
})

test('a failure after the last value has no effect', async () => {
  const { reader, fail, finish } = channel()
  finish()
  expect(await reader.next()).toEqual(end)
  fail(new Error('late'))
  expect(await reader.next()).toEqual(end)
})

test('a failure before the reader has read the end is thrown', async () => {
  const { reader, fail, finish, ends } = channel()
  finish()
  fail(new Error('late'))
  await expect(reader.next()).rejects.toThrow('late')
  expect(ends).toEqual([])
})

test('an end after a failure does not replace it', async () => {
  const { reader, fail, finish, ends } = channel()
  fail(new Error('broken'))
  finish()
  await expect(reader.next()).rejects.toThrow('broken')
  expect(ends).toEqual([])
})

test.each(['open', 'finished'])(
  'a reader that stops early while the channel is %s ends it once',
  async (state) => {
    const { reader, put, finish, fail, queue, taken, ends } = channel()
    put('a')
    if (state === 'finished') finish()
    await reader.next()
    queue.length = 0
    expect(await reader.return?.()).toEqual(end)
    expect(ends).toEqual(['early'])
    expect(taken).toEqual(['a', undefined])
    expect(await reader.return?.()).toEqual(end)
    fail(new Error('late'))
    expect(await reader.next()).toEqual(end)
    expect(ends).toEqual(['early'])
  },
)

test('a reader that stops ends its own wait', async () => {
  const { reader, ends } = channel()
  const next = reader.next()
  await reader.return?.()
  expect(await next).toEqual(end)
  expect(ends).toEqual(['early'])
})
