import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { collected, inChunks, someBytes } from '../../test/bytes.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'
import { runTask } from '../engine/run-task.ts'
import { jsCompress } from '../engine/sha256.ts'
import { plainCipher } from '../engine/plain-cipher.ts'
import type { HashingEngine } from '../engine/engine.ts'
import { createFileHeader, type FileHeader } from '../header/file-header.ts'
import { createBatchDigest } from './batch-digest.ts'
import type { ByteRange } from './chunk-ranges.ts'
import { encryptFile } from './encrypt-file.ts'

const chunk = 65_536
const plain = createPlainEngine()
/** Hashes as the thread of a browser does, in another buffer. */
const engine: HashingEngine = {
  ...plain,
  hash: async (state, { buffer, ...batch }) => {
    const task = { kind: 'hash', state, batch: { ...batch, buffer: structuredClone(buffer) } } as const
    const result = await runTask(task, {
      cipher: plainCipher,
      compress: jsCompress,
      scrypt: plain.scrypt,
    })
    if ('error' in result || result.state === undefined) throw new Error('not hashed')
    structuredClone(buffer, { transfer: [buffer] })
    return { buffer: result.buffer, state: result.state }
  },
}
let header: FileHeader

beforeAll(async () => {
  header = await createFileHeader({ passphrase: 'correct', workFactor: 2 }, engine)
})

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

function encryptWithDigest(content: Uint8Array) {
  const size = content.length
  const digest = createBatchDigest(size, engine)
  const file = encryptFile({ size, header, engine, digest })
  const plainOf = (range: ByteRange) => inChunks(content.slice(range.start, range.end))
  return { digest, size: file.size, read: (range: ByteRange) => file.read(range, plainOf) }
}

test.for([0, 1, chunk - 1, chunk, chunk + 1, 3 * chunk, 35 * chunk + 7])(
  '%i bytes are hashed while they are encrypted',
  async (size) => {
    const content = someBytes(size)
    const { digest, read, size: end } = encryptWithDigest(content)
    expect(digest.sha256()).toBeUndefined()
    const encrypted = await collected(read({ start: 0, end }))
    expect(digest.sha256()).toBe(sha256(content))
    const file = encryptFile({ size, header, engine, random: (into) => into.set(nonceIn(encrypted)) })
    const same = file.read({ start: 0, end }, ({ start, end: to }) => inChunks(content.slice(start, to)))
    expect(Buffer.compare(await collected(same), encrypted)).toBe(0)
  },
)
const nonceIn = (encrypted: Uint8Array) => encrypted.subarray(header.bytes.length, header.bytes.length + 16)

test('parts that are sent repeatedly, from any earlier offset on, are hashed once', async () => {
  const content = someBytes(4 * chunk + 100)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.double({ noNaN: true, max: 1, min: 0 }), fc.nat(2 * chunk))),
      async (parts) => {
        const { digest, size, read } = encryptWithDigest(content)
        let reached = 0
        for (const [from, length] of parts) {
          const start = Math.floor(from * reached)
          const end = Math.min(size, start + length)
          await collected(read({ start, end }))
          reached = Math.max(reached, end)
        }
        await collected(read({ start: reached, end: size }))
        expect(digest.sha256()).toBe(sha256(content))
      },
    ),
    { numRuns: 30 },
  )
})

test('two reads at the same time are hashed once', async () => {
  const content = someBytes(40 * chunk)
  const { digest, size, read } = encryptWithDigest(content)
  await Promise.all([collected(read({ start: 0, end: size })), collected(read({ start: 100, end: size }))])
  expect(digest.sha256()).toBe(sha256(content))
})

test('a content of which a part was never read has no digest', async () => {
  const { digest, size, read } = encryptWithDigest(someBytes(4 * chunk))
  await collected(read({ start: 0, end: 10 }))
  await collected(read({ start: 3 * chunk, end: size }))
  expect(digest.sha256()).toBeUndefined()
})

test('after a failed task, the next read continues', async () => {
  const content = someBytes(3 * chunk)
  let isBroken = true
  const digest = createBatchDigest(content.length, {
    hash: (...args) => (isBroken ? Promise.reject(new Error('the thread has ended')) : engine.hash(...args)),
  })
  const file = encryptFile({ size: content.length, header, engine, digest })
  const all = () =>
    collected(
      file.read({ start: 0, end: file.size }, ({ start, end }) => inChunks(content.slice(start, end))),
    )
  await expect(all()).rejects.toThrow('the thread has ended')
  isBroken = false
  await all()
  expect(digest.sha256()).toBe(sha256(content))
})
