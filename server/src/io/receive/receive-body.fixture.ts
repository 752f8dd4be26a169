import { createHash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { mebibyte } from '../../domain/sizes.ts'
import { hasherPool } from '../hash/hasher-pool.ts'
import { receiveBody, type ReceivedBody, type ReceiveBodyOptions } from './receive-body.ts'

export const hashers = hasherPool({ blocks: 4 })
export const never = new AbortController().signal
export const plain = { maxSize: -1, tooBig: () => new Error('too big'), hashers, signal: never }

/** A source that the test writes to, and its received body. */
export function receiveFrom(options: Partial<ReceiveBodyOptions> = {}) {
  const source = new PassThrough({ highWaterMark: 16 * mebibyte })
  return { source, received: receiveBody(source, { ...plain, ...options }) }
}

export async function readAll(blocks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const block of blocks) all.push(Buffer.from(block))
  return Buffer.concat(all)
}

/** Reads a body to its end and compares it with the expected bytes. */
export async function compare(received: ReceivedBody, bytes: Buffer) {
  const [head, read] = await Promise.all([received.head, readAll(received.blocks)])
  return {
    head: bytes.subarray(0, 4_100).equals(head),
    blocks: bytes.equals(read),
    digests: await received.digests(),
  }
}
export const allEqual = (bytes: Buffer) => ({
  head: true,
  blocks: true,
  digests: { md5: createHash('md5').update(bytes).digest('hex'), crc32: crc32(bytes), size: bytes.length },
})

/** Copies, since the receiver takes ownership of the memory of chunks. */
export function* chunksOf(bytes: Buffer, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) {
    yield Buffer.from(bytes.subarray(offset, offset + size))
  }
}
export const streamOf = (bytes: Buffer, size: number) =>
  Readable.from(chunksOf(bytes, size), { objectMode: false })
