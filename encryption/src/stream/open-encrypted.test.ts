import { afterAll, expect, test } from 'vitest'
import { collected, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import { encryptStream } from './encrypt-stream.ts'
import { createFileHeader } from '../header/file-header.ts'
import { chunkBytes, encryptedChunkBytes } from '../base/format.ts'
import { createNodeEngine } from '../node/engine.ts'
import type { ByteRange } from './chunk-ranges.ts'
import { openEncrypted } from './open-encrypted.ts'

const encryptionKey = { passphrase: 'correct horse battery staple', workFactor: 2 }
const keys = { passphrases: [encryptionKey.passphrase] }
const engine = createNodeEngine({ threads: 1 })

afterAll(() => engine.close())

async function encrypted(content: Uint8Array): Promise<Uint8Array> {
  const header = await createFileHeader(encryptionKey, engine)
  return collected(encryptStream(inChunks(content), { header, engine }))
}

/** A source with one file that records the ranges that were read. */
function recordedSource(file: Uint8Array) {
  const ranges: ByteRange[] = []
  return {
    ranges,
    size: file.length,
    read: ({ start, end }: ByteRange) => {
      ranges.push({ start, end })
      return inChunks(file.slice(start, end))
    },
  }
}

const content = someBytes(70 * chunkBytes + 5)
const borders = [
  0,
  1,
  chunkBytes - 1,
  chunkBytes,
  chunkBytes + 1,
  69 * chunkBytes,
  content.length - 1,
  content.length,
]
const ranges = borders.flatMap((start) =>
  borders.filter((end) => end >= start).map((end) => ({ start, end })),
)

test('every range equals the same range of the whole content', async () => {
  const opened = await openEncrypted(recordedSource(await encrypted(content)), { keys, engine })
  expect(opened.size).toBe(content.length)
  for (const { start, end } of ranges) {
    const bytes = await collected(opened.read({ start, end }))
    expect(Buffer.compare(bytes, content.subarray(start, end))).toBe(0)
  }
})

test.for([0, 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes])('a content of %i bytes opens', async (size) => {
  const opened = await openEncrypted(recordedSource(await encrypted(someBytes(size))), { keys, engine })
  expect(opened.size).toBe(size)
  const bytes = await collected(opened.read({ start: 0, end: size }))
  expect(Buffer.compare(bytes, someBytes(size))).toBe(0)
})

test('a range reads only the chunks that contain it', async () => {
  const source = recordedSource(await encrypted(content))
  const opened = await openEncrypted(source, { keys, engine })
  source.ranges.length = 0
  await collected(opened.read({ start: 3 * chunkBytes + 10, end: 4 * chunkBytes + 1 }))
  const [range, ...others] = source.ranges
  expect(others).toEqual([])
  expect((range?.end ?? 0) - (range?.start ?? 0)).toBe(2 * encryptedChunkBytes)
})

test('a truncated file does not open', async () => {
  const file = await encrypted(content)
  const shorter = file.subarray(0, file.length - (5 + 16))
  await expect(openEncrypted(recordedSource(shorter), { keys, engine })).rejects.toMatchObject({
    code: 'truncated',
  })
})

test('a damaged chunk is rejected, and the other chunks remain readable', async () => {
  const file = await encrypted(content)
  const at = file.length - (5 + 16) - 2 * encryptedChunkBytes
  file[at] = (file[at] ?? 0) ^ 1
  const opened = await openEncrypted(recordedSource(file), { keys, engine })
  const start = 68 * chunkBytes
  const damaged = await outcomeOf(opened.read({ start, end: start + 1 }))
  expect(damaged).toMatchObject({ bytes: new Uint8Array(), error: { code: 'damaged_chunk' } })
  const next = await collected(opened.read({ start: start + chunkBytes, end: content.length }))
  expect(Buffer.compare(next, content.subarray(start + chunkBytes))).toBe(0)
})

test.for([-1, 1])('a source that returns %i bytes more than requested is detected', async (more) => {
  const file = await encrypted(content)
  const source = recordedSource(file)
  const opened = await openEncrypted(source, { keys, engine })
  source.read = ({ start, end }) => inChunks(file.slice(start, end + more))
  const { error } = await outcomeOf(opened.read({ start: 0, end: 10 }))
  expect(error).toMatchObject({ code: 'size_mismatch' })
})

test.for([
  { start: -1, end: 1 },
  { start: 2, end: 1 },
  { start: 0, end: content.length + 1 },
])('an invalid range is rejected as a programming error: $start to $end', async (range) => {
  const opened = await openEncrypted(recordedSource(await encrypted(content)), { keys, engine })
  expect((await outcomeOf(opened.read(range))).error).toBeInstanceOf(RangeError)
})

test('a header with many recipients of any length is read', async () => {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identities = await Promise.all(Array.from({ length: 60 }, () => generateX25519Identity()))
  const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
  const header = await createFileHeader({ recipients }, engine)
  expect(header.bytes.length).toBeGreaterThan(4096)
  const file = await collected(encryptStream(inChunks(someBytes(100)), { header, engine }))
  const opened = await openEncrypted(recordedSource(file), {
    keys: { identities: identities.slice(-1) },
    engine,
  })
  expect(await collected(opened.read({ start: 10, end: 20 }))).toEqual(someBytes(100).slice(10, 20))
})
