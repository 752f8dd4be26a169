import { crc32 } from 'node:zlib'
import type { HashResponse, HashWork, HashWorkerData } from './hash-messages.ts'
import { blockBytes, lanes } from '../md5/blocks.ts'
import { md5Module, maxBlocks } from '../md5/module.ts'
import { digest, initialState, partialBlockBytes, addPartialBlock, type Md5State } from '../md5/state.ts'

interface Body {
  readonly id: number
  readonly md5: Md5State
  crc32: number
  /** Bytes of each pending request. */
  readonly waiting: Uint8Array[]
  ends: boolean
}

/**
 * Hashes up to four bodies at once: each step processes some bytes of each.
 * @throws WebAssembly.CompileError on a processor without vector instructions
 */
export function simdHasher({ memory, contextAddress }: HashWorkerData): HashWork {
  const compress = md5Module(memory, contextAddress)
  const bodies = new Map<number, Body>()
  /** Bodies with waiting work. A processed body moves to the end. */
  const ready = new Set<Body>()

  const open = (id: number): Body => {
    const body = { id, md5: initialState(), crc32: 0, waiting: [], ends: false }
    bodies.set(id, body)
    return body
  }
  const forget = (body: Body) => {
    bodies.delete(body.id)
    ready.delete(body)
  }
  /** Adds bytes that md5 has processed to the CRC-32, while they are in the cache. */
  const advanceBody = (body: Body, bytes: Uint8Array, count: number): HashResponse[] => {
    body.crc32 = crc32(bytes.subarray(0, count), body.crc32)
    if (count < bytes.length) {
      body.waiting[0] = bytes.subarray(count)
      return []
    }
    body.waiting.shift()
    return [{ body: body.id }]
  }
  const finish = (body: Body): HashResponse => {
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
      const responses: HashResponse[] = []
      const aligned: { readonly body: Body; readonly bytes: Uint8Array }[] = []
      const group = [...ready.values().take(lanes)]
      for (const body of group) {
        const [bytes] = body.waiting
        if (bytes === undefined) {
          responses.push(finish(body))
          continue
        }
        const partial = partialBlockBytes(body.md5, bytes.length)
        if (partial > 0 || bytes.length === 0) {
          addPartialBlock(body.md5, bytes.subarray(0, partial), compress)
          responses.push(...advanceBody(body, bytes, partial))
        } else aligned.push({ body, bytes })
      }
      if (aligned.length > 0) {
        const blocks = Math.min(
          maxBlocks,
          ...aligned.map(({ bytes }) => Math.floor(bytes.length / blockBytes)),
        )
        compress(
          aligned.map(({ body, bytes }) => ({ words: body.md5.words, bytes })),
          blocks,
        )
        for (const { body, bytes } of aligned) {
          body.md5.length += blocks * blockBytes
          responses.push(...advanceBody(body, bytes, blocks * blockBytes))
        }
      }
      for (const body of group) {
        ready.delete(body)
        if (body.waiting.length > 0 || (body.ends && bodies.has(body.id))) ready.add(body)
      }
      return responses
    },
  }
}
