import { setImmediate as nextIteration } from 'node:timers/promises'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { CancelledError, SourceClosedError } from './body-source.ts'
import { passThrough, type PassThroughOptions } from './pass-through.ts'
import { settled } from '../io.fixture.ts'
import { never, readAll } from './receive-body.fixture.ts'

/** A source that the test writes to, and its forwarded body. */
function forwardFrom(options: Partial<PassThroughOptions> = {}) {
  const source = new PassThrough({ highWaterMark: 1024 * 1024 })
  source.on('error', () => undefined)
  const onFailure = vi.fn()
  const body = passThrough(source, {
    headSize: 4,
    checkSize: () => undefined,
    complete: () => Promise.resolve(),
    onFailure,
    signal: never,
    ...options,
  })
  return { source, body, onFailure }
}

test('all bytes are forwarded, and the first ones are the head', async () => {
  const { source, body, onFailure } = forwardFrom()
  source.write('abc')
  source.write('def')
  source.end()
  expect((await readAll(body.chunks)).toString()).toBe('abcdef')
  expect(Buffer.from(await body.head).toString()).toBe('abcd')
  expect(body.size()).toBe(6)
  expect(onFailure).not.toHaveBeenCalled()
})

test.each(['', 'abc'])('the head of the short body "%s" is all of it', async (content) => {
  const { source, body } = forwardFrom()
  source.end(content)
  expect(Buffer.from(await body.head).toString()).toBe(content)
  expect((await readAll(body.chunks)).toString()).toBe(content)
})

test('the head can be resolved early, with a minimum of bytes', async () => {
  const { source, body } = forwardFrom()
  let head: string | undefined
  void body.head.then((bytes) => (head = Buffer.from(bytes).toString()))
  body.resolveHead(0)
  await nextIteration()
  expect(head).toBeUndefined()
  source.write('ab')
  await nextIteration()
  body.resolveHead(3)
  await nextIteration()
  expect(head).toBeUndefined()
  body.resolveHead(2)
  await nextIteration()
  expect(head).toBe('ab')
  source.end('cd')
  expect((await readAll(body.chunks)).toString()).toBe('abcd')
  expect(head).toBe('ab')
})

test('the chunks end only when the body is complete', async () => {
  const completion = Promise.withResolvers<undefined>()
  const { source, body } = forwardFrom({ complete: () => completion.promise })
  source.end('abc')
  let isRead = false
  const read = readAll(body.chunks).then(() => (isRead = true))
  await nextIteration()
  await nextIteration()
  expect(isRead).toBe(false)
  completion.resolve(undefined)
  await read
})

test('an error of the source after its end has no effect', async () => {
  const completion = Promise.withResolvers<undefined>()
  const { source, body, onFailure } = forwardFrom({ complete: () => completion.promise })
  source.end('abc')
  const read = readAll(body.chunks)
  await nextIteration()
  source.destroy(new Error('late'))
  await nextIteration()
  completion.resolve(undefined)
  expect((await read).toString()).toBe('abc')
  expect(onFailure).not.toHaveBeenCalled()
})

test('a body that cannot be completed fails', async () => {
  const failure = new Error('incomplete')
  const { source, body, onFailure } = forwardFrom({ complete: () => Promise.reject(failure) })
  source.end('abc')
  expect(await settled(readAll(body.chunks))).toBe(failure)
  expect(await settled(body.head)).toBe(failure)
  expect(onFailure.mock.calls).toEqual([[failure]])
})

test('a refused chunk is not forwarded, and the source is paused', async () => {
  const failure = new Error('too big')
  const sizes: number[] = []
  const { source, body, onFailure } = forwardFrom({
    checkSize(size) {
      sizes.push(size)
      if (size > 3) throw failure
    },
  })
  source.write('abc')
  await nextIteration()
  source.write('d')
  await nextIteration()
  source.write('e')
  await nextIteration()
  expect(await settled(readAll(body.chunks))).toBe(failure)
  expect(await settled(body.head)).toBe(failure)
  expect(sizes).toEqual([3, 4])
  expect(onFailure.mock.calls).toEqual([[failure]])
  expect([source.isPaused(), source.destroyed]).toEqual([true, false])
})

const gone = new Error('gone')

test.each([
  ['an error', (source: PassThrough) => source.destroy(gone), gone],
  ['a closed connection', (source: PassThrough) => source.destroy(), expect.any(SourceClosedError)],
])('%s of the source fails the body, once', async (_name, end, expected) => {
  const { source, body, onFailure } = forwardFrom()
  source.write('a')
  await nextIteration()
  end(source)
  await nextIteration()
  expect(await settled(readAll(body.chunks))).toEqual(expected)
  expect(await settled(body.head)).toEqual(expected)
  expect(onFailure.mock.calls).toEqual([[expected]])
})

test.each(['before', 'during'])('a signal that is aborted %s the body fails it', async (when) => {
  const abort = new AbortController()
  if (when === 'before') abort.abort(gone)
  const { source, body, onFailure } = forwardFrom({ signal: abort.signal })
  source.write('abcd')
  await nextIteration()
  abort.abort(gone)
  expect(await settled(readAll(body.chunks))).toBe(gone)
  expect(onFailure.mock.calls).toEqual([[gone]])
  expect(source.destroyed).toBe(false)
})

test('an abort after the last byte has no effect', async () => {
  const abort = new AbortController()
  const { source, body, onFailure } = forwardFrom({ signal: abort.signal })
  source.end('abc')
  await body.head
  expect((await readAll(body.chunks)).toString()).toBe('abc')
  abort.abort(gone)
  expect(onFailure).not.toHaveBeenCalled()
})

test('a cancelled body rejects without a failure, and its source stays paused', async () => {
  const { source, body, onFailure } = forwardFrom()
  source.write('a')
  await nextIteration()
  body.cancel()
  expect(await settled(readAll(body.chunks))).toBeInstanceOf(CancelledError)
  expect(await settled(body.head)).toBeInstanceOf(CancelledError)
  source.destroy(gone)
  await nextIteration()
  expect(onFailure).not.toHaveBeenCalled()
  expect(source.isPaused()).toBe(true)
})

test('a reader that stops early cancels the body', async () => {
  const { source, body, onFailure } = forwardFrom()
  source.write('a')
  for await (const chunk of body.chunks) {
    expect(Buffer.from(chunk).toString()).toBe('a')
    break
  }
  expect(await settled(body.head)).toBeInstanceOf(CancelledError)
  expect(source.isPaused()).toBe(true)
  expect(onFailure).not.toHaveBeenCalled()
})

test('the source is paused while 256 KiB wait for the reader', async () => {
  const { source, body } = forwardFrom()
  const chunk = Buffer.alloc(128 * 1024)
  source.write(chunk)
  await nextIteration()
  expect(source.isPaused()).toBe(false)
  source.write(chunk)
  await nextIteration()
  expect(source.isPaused()).toBe(true)
  const reader = body.chunks[Symbol.asyncIterator]()
  await reader.next()
  expect(source.isPaused()).toBe(false)
  source.end()
  await reader.next()
  expect(await reader.next()).toEqual({ done: true, value: undefined })
})
