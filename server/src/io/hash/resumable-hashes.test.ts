import { expect, test } from 'vitest'
import { boundedBufferPool } from '../bounded-buffer-pool.ts'
import type { BodyHasher } from './hash-thread.ts'
import { resumableHashes } from './resumable-hashes.ts'

const hashes = { md5: 'm', crc32: 1 }

/** Hashers that read nothing until the test says so, and their hashes of files. */
function fakeHashers(maxKept?: number) {
  const opened: { fail: () => void; reads: (() => void)[]; bytes: number; isDropped: boolean }[] = []
  const pool = {
    blocks: boundedBufferPool({ size: 1, count: 0, allocate: () => new Uint8Array() }),
    open(onFailure: (error: Error) => void): BodyHasher {
      const failure = new Error('stopped')
      let isFailed = false
      const body = {
        fail: () => {
          isFailed = true
          onFailure(failure)
        },
        reads: [] as (() => void)[],
        bytes: 0,
        isDropped: false,
      }
      opened.push(body)
      return {
        update(bytes, read) {
          body.bytes += bytes.length
          body.reads.push(read)
        },
        digest: () => (isFailed ? Promise.reject(failure) : Promise.resolve(hashes)),
        drop: () => {
          body.isDropped = true
        },
      }
    },
    bodies: () => opened.length,
    trim: () => 0,
    close: () => Promise.resolve(),
  }
  return { opened, files: resumableHashes(pool, maxKept) }
}

/** Updates the hashes of a part. Returns how many bytes are no longer needed. */
function hashing(part: ReturnType<ReturnType<typeof resumableHashes>['resume']>) {
  const running = part.sum.open(() => undefined)
  let read = 0
  const update = (length: number) => {
    running.update(new Uint8Array(length), () => {
      read += length
    })
  }
  return { update, read: () => read, drop: running.drop }
}

test('hashes continue at the offset at which they were kept', async () => {
  const { opened, files } = fakeHashers()
  const first = files.resume('file', 0)
  hashing(first).update(10)
  first.keep(10)
  expect(files.waiting()).toBe(1)
  const second = files.resume('file', 10)
  expect(files.waiting()).toBe(0)
  hashing(second).update(5)
  expect(opened.map(({ bytes }) => bytes)).toEqual([15])
  expect(await second.digest()).toEqual(hashes)
})

test('hashes of another offset are dropped, and unknown', async () => {
  const { opened, files } = fakeHashers()
  files.resume('file', 0).keep(10)
  const part = files.resume('file', 9)
  expect(opened[0]?.isDropped).toBe(true)
  const { update, read } = hashing(part)
  update(5)
  expect(read()).toBe(5)
  expect(await part.digest()).toBeUndefined()
  part.keep(14)
  part.drop()
  expect(files.waiting()).toBe(0)
  expect(opened).toHaveLength(1)
})

test('hashes of another file are unknown', async () => {
  const { files } = fakeHashers()
  files.resume('file', 0).keep(10)
  expect(await files.resume('other', 10).digest()).toBeUndefined()
  expect(files.waiting()).toBe(1)
})

test('a file that starts again gets new hashes, and the kept ones are dropped', () => {
  const { opened, files } = fakeHashers()
  files.resume('file', 0).keep(10)
  hashing(files.resume('file', 0)).update(3)
  expect(opened.map(({ isDropped, bytes }) => [isDropped, bytes])).toEqual([
    [true, 0],
    [false, 3],
  ])
})

test('forgotten hashes are dropped', () => {
  const { opened, files } = fakeHashers()
  files.resume('file', 0).keep(10)
  files.forget('other')
  expect(opened[0]?.isDropped).toBe(false)
  files.forget('file')
  expect(opened[0]?.isDropped).toBe(true)
  expect(files.waiting()).toBe(0)
})

test('beyond the maximum, the oldest kept hashes are dropped', () => {
  const { opened, files } = fakeHashers(2)
  for (const key of ['a', 'b', 'c']) files.resume(key, 0).keep(1)
  expect(files.waiting()).toBe(2)
  expect(opened.map(({ isDropped }) => isDropped)).toEqual([true, false, false])
})

test('bytes are no longer needed once the thread has read them, in their order', () => {
  const { opened, files } = fakeHashers()
  const { update, read } = hashing(files.resume('file', 0))
  update(1)
  update(10)
  expect(read()).toBe(0)
  opened[0]?.reads.shift()?.()
  expect(read()).toBe(1)
  opened[0]?.fail()
  expect(read()).toBe(11)
  update(100)
  expect(read()).toBe(111)
  expect(opened[0]?.bytes).toBe(11)
})

test('after a failure of the thread, the hashes are unknown and not kept', async () => {
  const { opened, files } = fakeHashers()
  const part = files.resume('file', 0)
  opened[0]?.fail()
  part.keep(10)
  expect(files.waiting()).toBe(0)
  expect(await part.digest()).toBeUndefined()
})

test('a thread that fails during the digest leaves the hashes unknown', async () => {
  const { opened, files } = fakeHashers()
  const part = files.resume('file', 0)
  const kept = files.resume('other', 0)
  kept.keep(1)
  const again = files.resume('other', 1)
  opened[1]?.fail()
  expect(await again.digest()).toBeUndefined()
  expect(await part.digest()).toEqual(hashes)
})

test('kept hashes whose thread fails are forgotten', async () => {
  const { opened, files } = fakeHashers()
  files.resume('file', 0).keep(10)
  opened[0]?.fail()
  expect(files.waiting()).toBe(0)
  expect(await files.resume('file', 10).digest()).toBeUndefined()
})

test('the memory of a dropped part is not released again', () => {
  const { opened, files } = fakeHashers()
  const { update, read, drop } = hashing(files.resume('file', 0))
  update(10)
  drop()
  opened[0]?.reads.shift()?.()
  expect(read()).toBe(0)
})

test('a small part is copied, and an empty one is not hashed', () => {
  const { opened, files } = fakeHashers()
  const part = files.resume('file', 0)
  expect(part.sum.digestSmall(new Uint8Array())).toBeNull()
  expect(opened[0]?.reads).toHaveLength(0)
  expect(part.sum.digestSmall(new Uint8Array(3))).toBeNull()
  expect(opened[0]?.bytes).toBe(3)
})
