import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { bytesOf, settled } from '../io.fixture.ts'
import { mebibyte } from '../../domain/sizes.ts'
import { hashers, never, readAll } from './receive-body.fixture.ts'
import { SourceClosedError } from './body-source.ts'
import type { Clock } from '../../domain/clock.ts'
import { receivePart } from './receive-body.ts'
import { resumableHashes } from '../hash/resumable-hashes.ts'

afterAll(() => hashers.close())

const stopped: Clock = { now: () => 0, every: () => () => undefined }

/** Resolves when threads have processed all earlier messages. */
async function threadsIdle(): Promise<void> {
  const hasher = hashers.open(() => undefined)
  await hasher.digest()
}

test.each([1, 2, 3, 4])('memory is released once when a part fails after %d MiB', async (size) => {
  const hashesOfFiles = resumableHashes(hashers)
  const hashes = hashesOfFiles.resume('key', 0)
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  const excess = new Error('too much')
  const received = receivePart(source, {
    maxSize: size * mebibyte,
    tooBig: () => excess,
    pool: hashers.blocks,
    sum: hashes.sum,
    signal: never,
    clock: stopped,
  })
  source.write(bytesOf(size * mebibyte))
  source.write('x')
  expect(await settled(readAll(received.blocks))).toBe(excess)
  await threadsIdle()
  hashes.drop()
  expect(hashers.blocks.available()).toBe(4)
  const taken = Array.from({ length: 4 }, () => hashers.blocks.acquire())
  expect(new Set(taken).size).toBe(4)
  for (const block of taken) if (block !== undefined) hashers.blocks.release(block)
  expect(hashers.bodies()).toBe(0)
})

test.each(['destroyed', 'aborted'])('a part has what was received before its source was %s', async (end) => {
  const cause = new Error('gone')
  const broken = new AbortController()
  const source = new PassThrough()
  source.on('error', () => undefined)
  source.write('received')
  if (end === 'destroyed') source.destroy()
  else broken.abort(cause)
  const hashes = resumableHashes(hashers).resume('key', 0)
  const received = receivePart(source, {
    maxSize: -1,
    tooBig: () => new Error('no'),
    pool: hashers.blocks,
    sum: hashes.sum,
    signal: broken.signal,
    clock: stopped,
  })
  expect((await readAll(received.blocks)).toString()).toBe('received')
  const { size, brokenBy } = await received.end()
  expect(size).toBe(8)
  if (end === 'destroyed') expect(brokenBy).toBeInstanceOf(SourceClosedError)
  else expect(brokenBy).toBe(cause)
  hashes.drop()
})

test('kept hashes of a file can be dropped', async () => {
  const hashesOfFiles = resumableHashes(hashers)
  const send = async (offset: number, text: string) => {
    const hashes = hashesOfFiles.resume('key', offset)
    const source = new PassThrough()
    const received = receivePart(source, {
      maxSize: -1,
      tooBig: () => new Error('no'),
      pool: hashers.blocks,
      sum: hashes.sum,
      signal: never,
      clock: stopped,
    })
    source.end(text)
    await readAll(received.blocks)
    await received.end()
    return hashes
  }
  const first = await send(0, 'ab')
  first.keep(2)
  expect([hashesOfFiles.waiting(), hashers.bodies()]).toEqual([1, 1])
  const second = await send(2, 'c')
  expect(hashesOfFiles.waiting()).toBe(0)
  expect((await second.digest())?.md5).toBe('900150983cd24fb0d6963f7d28e17f72')
  const elsewhere = await send(3, 'd')
  expect(await elsewhere.digest()).toBeUndefined()
  ;(await send(0, 'ab')).keep(2)
  hashesOfFiles.forget('key')
  expect([hashesOfFiles.waiting(), hashers.bodies()]).toEqual([0, 0])
})

test('a stopped thread only loses the hashes of a part', async () => {
  const hashesOfFiles = resumableHashes(hashers)
  const hashes = hashesOfFiles.resume('key', 0)
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  const received = receivePart(source, {
    maxSize: -1,
    tooBig: () => new Error('no'),
    pool: hashers.blocks,
    sum: hashes.sum,
    signal: never,
    clock: stopped,
  })
  const read = readAll(received.blocks)
  source.write(bytesOf(2 * mebibyte))
  await received.head
  await hashers.close()
  source.end(bytesOf(4 * mebibyte))
  expect((await read).length).toBe(6 * mebibyte)
  expect(await received.end()).toMatchObject({ size: 6 * mebibyte, brokenBy: undefined })
  expect(await hashes.digest()).toBeUndefined()
  hashes.keep(6 * mebibyte)
  expect([hashesOfFiles.waiting(), hashers.blocks.available()]).toEqual([0, 4])
})
