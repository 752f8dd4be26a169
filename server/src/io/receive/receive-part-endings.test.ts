import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { bytesOf, hashers, mebibyte, never, readAll, settled } from './receive-body.fixture.ts'
import { receivePart } from './receive-body.ts'
import { resumableHashes } from '../hash/resumable-hashes.ts'

afterAll(() => hashers.close())

/** Resolves when all that threads were told before is done. */
async function threadsAreDone(): Promise<void> {
  const hasher = hashers.open(() => undefined)
  await hasher.digest()
}

test.each([1, 2, 3, 4])('memory is given back once when a piece fails after %d MiB', async (size) => {
  const live = resumableHashes(hashers)
  const hashes = live.goOn('key', 0)
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  const excess = new Error('too much')
  const intake = receivePart(source, {
    room: size * mebibyte,
    excess: () => excess,
    pool: hashers.blocks,
    sum: hashes.sum,
    signal: never,
  })
  source.write(bytesOf(size * mebibyte))
  source.write('x')
  expect(await settled(readAll(intake.blocks))).toBe(excess)
  await threadsAreDone()
  hashes.drop()
  expect(hashers.blocks.available()).toBe(4)
  const taken = Array.from({ length: 4 }, () => hashers.blocks.take())
  expect(new Set(taken).size).toBe(4)
  for (const block of taken) if (block !== undefined) hashers.blocks.give(block)
  expect(hashers.bodies()).toBe(0)
})

test('what was kept of a file is forgotten, and waits for no thread', async () => {
  const live = resumableHashes(hashers)
  const send = async (offset: number, text: string) => {
    const hashes = live.goOn('key', offset)
    const source = new PassThrough()
    const intake = receivePart(source, {
      room: -1,
      excess: () => new Error('no'),
      pool: hashers.blocks,
      sum: hashes.sum,
      signal: never,
    })
    source.end(text)
    await readAll(intake.blocks)
    await intake.end()
    return hashes
  }
  const first = await send(0, 'ab')
  first.keep(2)
  expect([live.waiting(), hashers.bodies()]).toEqual([1, 1])
  const second = await send(2, 'c')
  expect(live.waiting()).toBe(0)
  expect((await second.digest())?.md5).toBe('900150983cd24fb0d6963f7d28e17f72')
  const elsewhere = await send(3, 'd')
  expect(await elsewhere.digest()).toBeUndefined()
  ;(await send(0, 'ab')).keep(2)
  live.forget('key')
  expect([live.waiting(), hashers.bodies()]).toEqual([0, 0])
})

test('a thread that dies costs a piece nothing but its hashes', async () => {
  const live = resumableHashes(hashers)
  const hashes = live.goOn('key', 0)
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  const intake = receivePart(source, {
    room: -1,
    excess: () => new Error('no'),
    pool: hashers.blocks,
    sum: hashes.sum,
    signal: never,
  })
  const read = readAll(intake.blocks)
  source.write(bytesOf(2 * mebibyte))
  await intake.head
  await hashers.close()
  source.end(bytesOf(4 * mebibyte))
  expect((await read).length).toBe(6 * mebibyte)
  expect(await intake.end()).toMatchObject({ size: 6 * mebibyte, brokenBy: undefined })
  expect(await hashes.digest()).toBeUndefined()
  hashes.keep(6 * mebibyte)
  expect([live.waiting(), hashers.blocks.available()]).toEqual([0, 4])
})
