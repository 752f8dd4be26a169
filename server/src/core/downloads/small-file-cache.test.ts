import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { smallFileCache } from './small-file-cache.ts'

/** The largest file that is cached. Bytes. */
const maxCachedFile = 16_384

/** A cache in front of a backend that counts its reads. */
function counted() {
  const stored = new Map<string, string>()
  const reads: string[] = []
  const time = { now: 0 }
  const backend = {
    get: (id: string) => {
      reads.push(id)
      const content = stored.get(id)
      return content === undefined
        ? Promise.reject(new Error('missing'))
        : Promise.resolve(inChunks(Buffer.from(content)))
    },
  }
  return { stored, reads, time, cache: smallFileCache(backend, { now: () => time.now }) }
}

async function* inChunks(content: Buffer): AsyncGenerator<Uint8Array> {
  await Promise.resolve()
  yield content.subarray(0, 1)
  yield content.subarray(1)
}

const textOf = (content: Uint8Array | null) => content && Buffer.from(content).toString()

test('a small file is read once', async () => {
  const { stored, reads, cache } = counted()
  stored.set('a', 'content')
  for (let download = 0; download < 3; download += 1)
    expect(textOf(await cache.read({ id: 'a', fileSize: 7 }))).toBe('content')
  expect(reads).toEqual(['a'])
})

test.each([
  [maxCachedFile, true],
  [maxCachedFile + 1, false],
])('a file of %d bytes is cached: %s', async (fileSize, isCached) => {
  const { stored, reads, cache } = counted()
  stored.set('a', 'x'.repeat(fileSize))
  expect((await cache.read({ id: 'a', fileSize })) !== null).toBe(isCached)
  expect(reads.length).toBe(isCached ? 1 : 0)
})

test.each([6, 8])(
  'a file of 7 bytes whose row says %d is left to the caller, each time',
  async (fileSize) => {
    const { stored, reads, cache } = counted()
    stored.set('a', 'content')
    for (let download = 0; download < 2; download += 1)
      expect(await cache.read({ id: 'a', fileSize })).toBeNull()
    expect(reads).toEqual(['a', 'a'])
  },
)

test('a missing file is an error, and not remembered', async () => {
  const { stored, cache } = counted()
  await expect(cache.read({ id: 'a', fileSize: 7 })).rejects.toThrow('missing')
  stored.set('a', 'content')
  expect(textOf(await cache.read({ id: 'a', fileSize: 7 }))).toBe('content')
})

test('a file that is downloaded each minute stays, another one leaves the memory', async () => {
  const { stored, reads, time, cache } = counted()
  for (const id of ['often', 'once']) stored.set(id, id)
  await cache.read({ id: 'once', fileSize: 4 })
  for (let minute = 0; minute < 3; minute += 1) {
    await cache.read({ id: 'often', fileSize: 5 })
    time.now += 60_000
  }
  expect(reads).toEqual(['once', 'often'])
  await cache.read({ id: 'once', fileSize: 4 })
  expect(reads).toEqual(['once', 'often', 'once'])
})

// Two generations of 4 MiB.
test.each([
  [maxCachedFile, 512],
  [0, 32_768],
])('the memory is bounded, with files of %d bytes', async (fileSize, most) => {
  const { stored, reads, cache } = counted()
  const content = 'x'.repeat(fileSize)
  const ids = Array.from({ length: most + 1_000 }, (_, number) => String(number))
  for (const id of ids) {
    stored.set(id, content)
    await cache.read({ id, fileSize })
  }
  reads.length = 0
  for (const id of ids.toReversed()) await cache.read({ id, fileSize })
  expect(ids.length - reads.length).toBeLessThanOrEqual(most)
  expect(ids.length - reads.length).toBeGreaterThanOrEqual(most / 2 - 10)
})
