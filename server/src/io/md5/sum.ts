import { blockBytes } from './blocks.ts'
import type { Compress, Words } from './program.ts'

/** The md5 of the bytes so far. */
export interface Sum {
  readonly words: Words
  /** The bytes behind the last whole block; how many there are is told by the length. */
  readonly tail: Uint8Array<ArrayBuffer>
  /** Bytes. */
  length: number
}

/** That of no bytes (RFC 1321 §3.3). */
export const emptySum = (): Sum => ({
  words: Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476),
  tail: new Uint8Array(blockBytes),
  length: 0,
})

/** How many of the next bytes belong to a block of which only a part is there; 0 when they begin with a whole block. */
export function oddBytes({ length }: Sum, bytes: number): number {
  const at = length % blockBytes
  return at === 0 && bytes >= blockBytes ? 0 : Math.min(blockBytes - at, bytes)
}

/** Takes odd bytes in. */
export function takeOdd(sum: Sum, bytes: Uint8Array, compress: Compress): void {
  sum.tail.set(bytes, sum.length % blockBytes)
  sum.length += bytes.length
  if (sum.length % blockBytes === 0 && bytes.length > 0) compressTail(sum, compress)
}

/** Lower-case hexadecimal. The sum is of no use afterwards. */
export function digest(sum: Sum, compress: Compress): string {
  const { words, tail, length } = sum
  const at = length % blockBytes
  const lengthAt = blockBytes - 8
  tail.fill(0, at)
  tail[at] = 0x80
  if (at >= lengthAt) {
    compressTail(sum, compress)
    tail.fill(0)
  }
  new DataView(tail.buffer).setBigUint64(lengthAt, BigInt(length) * 8n, true)
  compressTail(sum, compress)
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4)
  return bytes.toString('hex')
}

function compressTail({ words, tail }: Sum, compress: Compress): void {
  compress([{ words, bytes: tail }], 1)
}
