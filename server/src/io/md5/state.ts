import { blockBytes } from './blocks.ts'
import type { Compress, Words } from './module.ts'

/** The md5 state of the bytes so far. */
export interface Md5State {
  readonly words: Words
  /** The bytes after the last whole block; their number follows from `length`. */
  readonly tail: Uint8Array<ArrayBuffer>
  /** Bytes. */
  length: number
}

/** The initial state (RFC 1321 §3.3). */
export const initialState = (): Md5State => ({
  words: Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476),
  tail: new Uint8Array(blockBytes),
  length: 0,
})

/** How many of the next bytes belong to an incomplete block; 0 when they start with a whole block. */
export function partialBlockBytes({ length }: Md5State, bytes: number): number {
  const at = length % blockBytes
  return at === 0 && bytes >= blockBytes ? 0 : Math.min(blockBytes - at, bytes)
}

/** Adds the bytes of an incomplete block. */
export function addPartialBlock(state: Md5State, bytes: Uint8Array, compress: Compress): void {
  state.tail.set(bytes, state.length % blockBytes)
  state.length += bytes.length
  if (state.length % blockBytes === 0 && bytes.length > 0) compressTail(state, compress)
}

/** The digest in lower-case hexadecimal. The state must not be used afterwards. */
export function digest(state: Md5State, compress: Compress): string {
  const { words, tail, length } = state
  const at = length % blockBytes
  const lengthAt = blockBytes - 8
  tail.fill(0, at)
  tail[at] = 0x80
  if (at >= lengthAt) {
    compressTail(state, compress)
    tail.fill(0)
  }
  new DataView(tail.buffer).setBigUint64(lengthAt, BigInt(length) * 8n, true)
  compressTail(state, compress)
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word, index * 4)
  return bytes.toString('hex')
}

function compressTail({ words, tail }: Md5State, compress: Compress): void {
  compress([{ words, bytes: tail }], 1)
}
