import { crc32 } from 'node:zlib'
import type { HashAnswer, HashWork, HashWorkerData } from './hash-messages.ts'
import { blockBytes, lanes } from '../md5/blocks.ts'
import { md5Program, mostBlocks } from '../md5/program.ts'
import { digest, emptySum, oddBytes, takeOdd, type Sum } from '../md5/sum.ts'

interface Body {
  readonly id: number
  readonly md5: Sum
  crc32: number
  /** Bytes of each request that is not answered yet. */
  readonly waiting: Uint8Array[]
  ends: boolean
}

/**
 * Hashes bodies, up to four at once: of several whose bytes wait, a part of each goes its way together.
 * @throws WebAssembly.CompileError where there are no vectors
 */
export function simdHasher({ memory, own }: HashWorkerData): HashWork {
  const compress = md5Program(memory, own)
  const bodies = new Map<number, Body>()
  /** Those for which there is something to do; who had a turn goes behind the others. */
  const ready = new Set<Body>()

  const open = (id: number): Body => {
    const body = { id, md5: emptySum(), crc32: 0, waiting: [], ends: false }
    bodies.set(id, body)
    return body
  }
  const forget = (body: Body) => {
    bodies.delete(body.id)
    ready.delete(body)
  }
  /** So many bytes are in the md5 of a body: its CRC-32 takes them while they are at hand. */
  const passed = (body: Body, bytes: Uint8Array, count: number): HashAnswer[] => {
    body.crc32 = crc32(bytes.subarray(0, count), body.crc32)
    if (count < bytes.length) {
      body.waiting[0] = bytes.subarray(count)
      return []
    }
    body.waiting.shift()
    return [{ body: body.id }]
  }
  const finish = (body: Body): HashAnswer => {
    forget(body)
    return { body: body.id, hashes: { md5: digest(body.md5, compress), crc32: body.crc32 } }
  }

  return {
    accept({ body: id, block, bytes, end }) {
      const body = bodies.get(id) ?? open(id)
      if (end === 'drop') {
        forget(body)
        return
      }
      if (block !== undefined) body.waiting.push(new Uint8Array(memory.buffer, block.address, block.length))
      if (bytes !== undefined) body.waiting.push(bytes)
      body.ends = end === 'digest'
      ready.add(body)
    },
    isBusy: () => ready.size > 0,
    step() {
      const answers: HashAnswer[] = []
      const whole: { readonly body: Body; readonly bytes: Uint8Array }[] = []
      const group = [...ready.values().take(lanes)]
      for (const body of group) {
        const [bytes] = body.waiting
        if (bytes === undefined) {
          answers.push(finish(body))
          continue
        }
        const odd = oddBytes(body.md5, bytes.length)
        if (odd > 0 || bytes.length === 0) {
          takeOdd(body.md5, bytes.subarray(0, odd), compress)
          answers.push(...passed(body, bytes, odd))
        } else whole.push({ body, bytes })
      }
      if (whole.length > 0) {
        const blocks = Math.min(
          mostBlocks,
          ...whole.map(({ bytes }) => Math.floor(bytes.length / blockBytes)),
        )
        compress(
          whole.map(({ body, bytes }) => ({ words: body.md5.words, bytes })),
          blocks,
        )
        for (const { body, bytes } of whole) {
          body.md5.length += blocks * blockBytes
          answers.push(...passed(body, bytes, blocks * blockBytes))
        }
      }
      for (const body of group) {
        ready.delete(body)
        if (body.waiting.length > 0 || (body.ends && bodies.has(body.id))) ready.add(body)
      }
      return answers
    },
  }
}
