import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { collected, filling, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import type { ByteRange } from './chunk-ranges.ts'
import { decryptStream } from './decrypt-stream.ts'
import { createFileHeader, type FileHeader } from '../header/file-header.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { encryptFile } from './encrypt-file.ts'

const engine = createPlainEngine()
const chunk = 65_536
let header: FileHeader

beforeAll(async () => {
  header = await createFileHeader({ passphrase: 'correct', workFactor: 2 }, engine)
})

const contentOf = (content: Uint8Array) => (range: ByteRange) =>
  inChunks(content.slice(range.start, range.end))

test.for([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 35 * chunk + 7])(
  '%i bytes are encrypted to exactly the predicted size',
  async (size) => {
    const content = someBytes(size)
    const encrypted = encryptFile({ size, header, engine })
    const file = await collected(encrypted.read({ start: 0, end: encrypted.size }, contentOf(content)))
    expect(file).toHaveLength(encrypted.size)
    const { bytes, error } = await outcomeOf(
      decryptStream(inChunks(file), { keys: { passphrases: ['correct'] }, engine }),
    )
    expect(error).toBeUndefined()
    expect(Buffer.compare(bytes, content)).toBe(0)
  },
)

test('any range equals the same range of the whole file, in any order', async () => {
  const size = 3 * chunk + 100
  const content = someBytes(size)
  const encrypted = encryptFile({ size, header, engine })
  const all = { start: 0, end: encrypted.size }
  const whole = await collected(encrypted.read(all, contentOf(content)))
  const position = fc.oneof(
    fc.nat(encrypted.size),
    // Both sides of the end of the header and of each chunk.
    fc.tuple(fc.nat(4), fc.integer({ min: -2, max: 2 })).map(([chunks, offset]) => {
      const border = header.bytes.length + 16 + chunks * (chunk + 16) + offset
      return Math.min(encrypted.size, border)
    }),
  )
  await fc.assert(
    fc.asyncProperty(position, position, async (a, b) => {
      const range = { start: Math.min(a, b), end: Math.max(a, b) }
      const part = await collected(encrypted.read(range, contentOf(content)))
      expect(Buffer.compare(part, whole.subarray(range.start, range.end))).toBe(0)
    }),
    { numRuns: 60 },
  )
})

test('a chunk is never encrypted again with different content', async () => {
  const size = 5 * chunk
  const content = someBytes(size)
  const encrypted = encryptFile({ size, header, engine })
  const half = { start: 0, end: header.bytes.length + 16 + 2 * (chunk + 16) }
  await collected(encrypted.read(half, contentOf(content)))
  const changed = content.slice()
  changed[chunk + 5] = 1 ^ (changed[chunk + 5] ?? 0)
  const all = { start: 0, end: encrypted.size }
  const { bytes, error } = await outcomeOf(encrypted.read(all, contentOf(changed)))
  expect(error).toMatchObject({ code: 'size_mismatch' })
  expect(bytes.length).toBeLessThanOrEqual(header.bytes.length + 16 + chunk + 16)
  // Content that was never encrypted may still change.
  const later = content.slice()
  later[4 * chunk] = 1 ^ (later[4 * chunk] ?? 0)
  expect((await outcomeOf(encrypted.read(all, contentOf(later)))).error).toBeUndefined()
})

test.for([
  ['in chunks', 1000, inChunks],
  ['in chunks', 3 * chunk, inChunks],
  ['into the buffers of the reader', 1000, filling],
  ['into the buffers of the reader', 3 * chunk, filling],
] as const)(
  'a content that arrives %s and differs in size from %i bytes is rejected',
  async ([, declared, source]) => {
    const encrypted = encryptFile({ size: declared, header, engine })
    const all = { start: 0, end: encrypted.size }
    expect((await outcomeOf(encrypted.read(all, () => source(someBytes(declared))))).error).toBeUndefined()
    for (const size of [declared - 1, declared + 1]) {
      const { error } = await outcomeOf(encrypted.read(all, () => source(someBytes(size))))
      expect(error).toMatchObject({ code: 'size_mismatch' })
    }
  },
)
