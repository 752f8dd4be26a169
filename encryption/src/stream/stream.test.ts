import { afterAll, describe, expect, test } from 'vitest'
import { collected, filling, inChunks, outcomeOf, someBytes } from '../../test/bytes.ts'
import type { FillingSource } from '../base/byte-source.ts'
import { concat } from '../base/bytes.ts'
import { decryptStream } from './decrypt-stream.ts'
import { encryptStream } from './encrypt-stream.ts'
import { createFileHeader } from '../header/file-header.ts'
import { chunkBytes, encryptedChunkBytes } from '../base/format.ts'
import { createNodeEngine } from '../node/engine.ts'
import { createPlainEngine } from '../engine/plain-engine.ts'

const encryptionKey = { passphrase: 'correct horse battery staple', workFactor: 2 }
const keys = { passphrases: [encryptionKey.passphrase] }
/** More chunks than the calling thread encrypts alone, so that worker threads take part. */
const manyChunks = 80 * chunkBytes

const engines = {
  'in JavaScript': createPlainEngine(),
  'by Node, on one thread': createNodeEngine({ threads: 0 }),
  'by Node, on several threads': createNodeEngine({ threads: 2 }),
}
const engine = engines['by Node, on several threads']

afterAll(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.close()))
})

async function encrypted(content: Uint8Array): Promise<{ file: Uint8Array; payloadStart: number }> {
  const header = await createFileHeader(encryptionKey, engine)
  const file = await collected(encryptStream(inChunks(content), { header, engine }))
  return { file, payloadStart: header.bytes.length + 16 }
}
const decrypted = (file: Uint8Array) => outcomeOf(decryptStream(inChunks(file), { keys, engine }))

/** The error of a promise that must not resolve. */
const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

const sizes = [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 1_000_000, manyChunks, manyChunks + 1]

describe.for(Object.entries(engines))('a content encrypted and decrypted %s', ([, engine]) => {
  test.for(sizes)('of %i bytes is unchanged, and its encrypted size is the predicted one', async (size) => {
    const content = someBytes(size)
    const header = await createFileHeader(encryptionKey, engine)
    const file = await collected(encryptStream(inChunks(content), { header, engine }))
    expect(file.length).toBe(header.encryptedSize(size))
    const back = await collected(decryptStream(inChunks(file), { keys, engine }))
    expect(Buffer.compare(back, content)).toBe(0)
  })

  test('is rejected at a changed bit, and no plaintext after it is returned', async () => {
    const content = someBytes(manyChunks)
    const { file, payloadStart } = await encrypted(content)
    for (const chunk of [0, 1, 2, 40, 63, 64, 79]) {
      const changed = file.slice()
      const at = payloadStart + chunk * encryptedChunkBytes + 5
      changed[at] = (changed[at] ?? 0) ^ 1
      const { bytes, error } = await outcomeOf(decryptStream(inChunks(changed), { keys, engine }))
      expect(error).toMatchObject({ name: 'EncryptionError', code: 'damaged_chunk' })
      expect(bytes.length).toBe(chunk * chunkBytes)
      expect(Buffer.compare(bytes, content.subarray(0, bytes.length))).toBe(0)
    }
  })
})

describe('a file', () => {
  const content = someBytes(3 * chunkBytes + 100)

  test.for([
    { what: 'a whole chunk', missing: 100 + 16 },
    { what: 'two whole chunks', missing: 100 + 16 + encryptedChunkBytes },
    { what: 'all but 15 bytes of a chunk', missing: 101 },
    { what: 'all of the content', missing: 3 * encryptedChunkBytes + 100 + 16 },
  ])('is detected as truncated without $what', async ({ missing }) => {
    const { file } = await encrypted(content)
    expect((await decrypted(file.subarray(0, -missing))).error).toMatchObject({ code: 'truncated' })
  })

  test('is rejected as damaged without its last byte', async () => {
    const { file } = await encrypted(content)
    const { bytes, error } = await decrypted(file.subarray(0, -1))
    expect(error).toMatchObject({ code: 'damaged_chunk' })
    expect(bytes.length).toBe(3 * chunkBytes)
  })

  test.for([1, 15, 16, 17, 70_000])('is rejected when %i bytes follow', async (extra) => {
    const { file } = await encrypted(someBytes(chunkBytes))
    const { error } = await decrypted(concat([file, someBytes(extra)]))
    expect(error).toMatchObject({ code: 'trailing_data' })
  })

  test('is rejected when an empty chunk follows others', async () => {
    const { file } = await encrypted(someBytes(chunkBytes))
    const empty = await encrypted(new Uint8Array())
    const { error } = await decrypted(concat([file, empty.file.subarray(-16)]))
    expect(error).toMatchObject({ name: 'EncryptionError' })
  })
})

describe('chunks', () => {
  test('cannot be reordered', async () => {
    const { file, payloadStart } = await encrypted(someBytes(3 * chunkBytes))
    const chunk = (index: number) =>
      file.slice(payloadStart + index * encryptedChunkBytes, payloadStart + (index + 1) * encryptedChunkBytes)
    const swapped = concat([file.slice(0, payloadStart), chunk(1), chunk(0), chunk(2)])
    expect(await decrypted(swapped)).toMatchObject({
      bytes: new Uint8Array(),
      error: { code: 'damaged_chunk' },
    })
  })

  test('of two files with one header differ', async () => {
    const header = await createFileHeader(encryptionKey, engine)
    const once = () => collected(encryptStream(inChunks(new Uint8Array(100)), { header, engine }))
    const [first, second] = [await once(), await once()]
    expect(Buffer.from(first.subarray(-100)).equals(second.subarray(-100))).toBe(false)
    expect((await decrypted(second)).bytes).toEqual(new Uint8Array(100))
  })
})

describe('a source', () => {
  test('may deliver one byte at a time, for encryption and decryption', async () => {
    const content = someBytes(chunkBytes + 3)
    const header = await createFileHeader(encryptionKey, engine)
    const file = await collected(encryptStream(inChunks(content, 1), { header, engine }))
    const back = await collected(decryptStream(inChunks(file, 1), { keys, engine }))
    expect(Buffer.compare(back, content)).toBe(0)
  })

  test('may be a stream', async () => {
    const content = someBytes(100_000)
    const header = await createFileHeader(encryptionKey, engine)
    const file = await collected(encryptStream(new Blob([content]).stream(), { header, engine }))
    const back = await collected(decryptStream(new Blob([file]).stream(), { keys, engine }))
    expect(Buffer.compare(back, content)).toBe(0)
  })

  test('may reuse one buffer', async () => {
    const content = someBytes(200_000)
    async function* reused(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(999)
      for await (const chunk of inChunks(bytes, buffer.length)) {
        buffer.set(chunk)
        yield buffer.subarray(0, chunk.length)
      }
    }
    const header = await createFileHeader(encryptionKey, engine)
    const file = await collected(encryptStream(reused(content), { header, engine }))
    const back = await collected(decryptStream(reused(file), { keys, engine }))
    expect(Buffer.compare(back, content)).toBe(0)
  })

  test.for([
    [0, 1],
    [chunkBytes, 1000],
    [chunkBytes + 1, Infinity],
    [3 * chunkBytes - 1, Infinity],
    [3 * chunkBytes, 70_000],
    [31 * chunkBytes, Infinity],
    [63 * chunkBytes + 1, 1_000_000],
    [95 * chunkBytes, Infinity],
  ] as const)(
    'may write %d bytes into the buffers of the reader, at most %d at a time',
    async ([size, maxBytes]) => {
      const content = someBytes(size)
      const header = await createFileHeader(encryptionKey, engine)
      const file = await collected(encryptStream(filling(content, maxBytes), { header, engine }))
      expect(file.length).toBe(header.encryptedSize(size))
      const back = await collected(decryptStream(filling(file, maxBytes), { keys, engine }))
      expect(Buffer.compare(back, content)).toBe(0)
    },
  )

  async function* failing() {
    yield await Promise.resolve(someBytes(200_000))
    throw new Error('the disk is gone')
  }
  function failingToFill(): FillingSource {
    const { fill } = filling(someBytes(200_000))
    const fail = () => Promise.reject(new Error('the disk is gone'))
    return { fill: async (into) => (await fill(into)) || fail() }
  }

  test.for([
    ['by an exception', failing],
    ['to write', failingToFill],
  ] as const)('that fails %s ends with its original error', async ([, source]) => {
    const header = await createFileHeader(encryptionKey, engine)
    const { error } = await outcomeOf(encryptStream(source(), { header, engine }))
    expect(error).toMatchObject({ message: 'the disk is gone' })
  })

  test('is cancelled when the consumer stops early', async () => {
    const { promise: cancelled, resolve } = Promise.withResolvers<unknown>()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(someBytes(chunkBytes))
      },
      cancel: resolve,
    })
    const header = await createFileHeader(encryptionKey, engine)
    const chunks = encryptStream(endless, { header, engine })
    await chunks.next()
    await chunks.next()
    await chunks.return(undefined)
    await cancelled
  })

  test.for(['encrypting', 'decrypting'])('that stalls is cancelled when %s is aborted', async (way) => {
    const { file } = await encrypted(someBytes(10))
    const { promise: stalled, resolve } = Promise.withResolvers<unknown>()
    async function* stuck() {
      yield await Promise.resolve(way === 'encrypting' ? someBytes(10) : file)
      resolve(undefined)
      await new Promise(() => undefined)
    }
    const abort = new AbortController()
    const { signal } = abort
    const chunks =
      way === 'encrypting'
        ? encryptStream(stuck(), { header: await createFileHeader(encryptionKey, engine), engine, signal })
        : decryptStream(stuck(), { keys, engine, signal })
    const outcome = failure(collected(chunks))
    await stalled
    abort.abort(new Error('enough'))
    expect(await outcome).toMatchObject({ message: 'enough' })
  })

  test('is not read when the signal was aborted before', async () => {
    const header = await createFileHeader(encryptionKey, engine)
    const signal = AbortSignal.abort(new Error('too late'))
    const { bytes, error } = await outcomeOf(
      encryptStream(inChunks(someBytes(9)), { header, engine, signal }),
    )
    expect(error).toMatchObject({ message: 'too late' })
    expect(bytes.length).toBeLessThanOrEqual(header.bytes.length + 16)
  })
})

test('closing an engine fails the work in progress', async () => {
  const closing = createNodeEngine({ threads: 1 })
  const header = await createFileHeader(encryptionKey, closing)
  async function* endless() {
    for (;;) yield await Promise.resolve(someBytes(chunkBytes))
  }
  const chunks = encryptStream(endless(), { header, engine: closing })
  for (let taken = 0; taken < manyChunks;) {
    const next = await chunks.next()
    taken += next.done === true ? 0 : next.value.length
  }
  const outcome = failure(collected(chunks))
  await closing.close()
  expect(await outcome).toBeInstanceOf(Error)
})
