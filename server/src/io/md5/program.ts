import { pageBytes, startOn, type SharedMemory } from '@svc/assembler'
import { blockBytes, contextBytes, lanes, layOutContext, procedures } from './blocks.ts'

/** So many blocks are taken at once, at most: they stay in the processor's cache for whoever reads them next. */
export const mostBlocks = 1024

/** A sum of md5: its four words (RFC 1321 §3.3). */
export type Words = Uint32Array

/** Whole blocks for a sum, and perhaps more bytes behind them. */
export interface Run {
  readonly words: Words
  readonly bytes: Uint8Array
}

/** Takes so many blocks, at most `mostBlocks`, into each of one to four sums. */
export type Compress = (runs: readonly Run[], blocks: number) => void

const roomBytes = mostBlocks * blockBytes
const roomsAt = Math.ceil(contextBytes / pageBytes) * pageBytes

/** Bytes of memory that a program needs for itself: its context, and room for what does not lie in its memory. */
export const ownBytes = roomsAt + lanes * roomBytes

/**
 * md5 in WebAssembly: for one sum as fast as OpenSSL's; for four at once, in vectors, two and a half times as fast.
 * @param memory where it finds bytes without a copy; several programs may share it
 * @param own address of `ownBytes` that nobody else uses
 */
export function md5Program(memory: SharedMemory, own: number): Compress {
  const { buffer } = memory
  const { one, four } = startOn(memory, procedures())
  layOutContext(new DataView(buffer, own))
  const words = new Uint32Array(buffer, own, lanes * 4)
  const rooms = Array.from({ length: lanes }, (_, lane) => {
    const at = own + roomsAt + lane * roomBytes
    return new Uint8Array(buffer, at, roomBytes)
  })

  const addressOf = (bytes: Uint8Array, blocks: number, lane: number): number => {
    const room = rooms[lane]
    if (bytes.buffer === buffer || room === undefined) return bytes.byteOffset
    room.set(bytes.subarray(0, blocks * blockBytes))
    return room.byteOffset
  }
  return (runs, blocks) => {
    const addresses = runs.map(({ bytes }, lane) => addressOf(bytes, blocks, lane))
    const [first = 0] = addresses
    const width = runs.length === 1 ? 1 : lanes
    for (const [lane, run] of runs.entries())
      for (const [index, word] of run.words.entries()) words[index * width + lane] = word
    if (width === 1) one(own, first, blocks)
    // A lane without a sum works on the bytes of the first, and is forgotten.
    else four(own, ...addresses, ...Array.from({ length: lanes - runs.length }, () => first), blocks)
    for (const [lane, run] of runs.entries())
      for (const index of run.words.keys()) run.words[index] = words[index * width + lane] ?? 0
  }
}
