import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sequentialHasher } from './sequential-hasher.ts'
import { simdHasher } from './simd-hasher.ts'
import { hashMemory } from './hash-memory.ts'
import type { HashAnswer, Hashes, HashWork } from './hash-messages.ts'

const blockSize = 256 * 1024
const blocks = 6
const { memory, ofThread, nextBlock } = hashMemory(2, blocks, blockSize)
const inMemory = Array.from({ length: blocks }, () => nextBlock(blockSize))

const bytesOf = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * (seed + 7) + (index >> 8) + seed * 31) & 0xff)
const expected = (bytes: Uint8Array): Hashes => ({
  md5: createHash('md5').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

function answersOf(lanes: HashWork): HashAnswer[] {
  const answers: HashAnswer[] = []
  while (lanes.isBusy()) answers.push(...lanes.step())
  return answers
}
const hashesOf = (answers: readonly HashAnswer[], body: number) =>
  answers.find(({ body: id, hashes }) => id === body && hashes !== undefined)?.hashes

/** Bytes of a request, which lie in one of the blocks in memory, or elsewhere. */
function partOf(bytes: Uint8Array, block: number | undefined) {
  const place = block === undefined ? undefined : inMemory[block]
  if (place === undefined) return { bytes }
  place.set(bytes)
  return { block: { address: place.byteOffset, length: bytes.length } }
}

describe.each([
  { how: 'up to four at once', work: simdHasher },
  { how: 'one after the other', work: sequentialHasher },
])('$how', ({ work }) => {
  const begun = () => work({ memory, own: ofThread(1) })

  test.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 121, 32_767, 32_768, 32_769, 65_600])(
    'the hashes of %i bytes are those of OpenSSL and zlib, alone and beside others',
    (length) => {
      const lanes = begun()
      for (let beside = 1; beside <= 6; beside += 1) {
        const bodies = Array.from({ length: beside }, (_, seed) => bytesOf(length + seed, seed))
        for (const [id, bytes] of bodies.entries()) {
          lanes.accept({ body: id, ...partOf(bytes, id) })
          lanes.accept({ body: id, end: 'digest' })
        }
        const answers = answersOf(lanes)
        for (const [id, bytes] of bodies.entries()) expect(hashesOf(answers, id)).toEqual(expected(bytes))
        expect(answers).toHaveLength(beside * 2)
      }
    },
  )

  test('bodies in parts of any size, which come in any order, do not get into each other', () => {
    const part = fc.record({
      body: fc.nat({ max: 5 }),
      length: fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 100_000 })),
      inMemory: fc.boolean(),
      stepsAfter: fc.nat({ max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const lanes = begun()
        const came = new Map<number, Uint8Array[]>()
        const answers: HashAnswer[] = []
        const used = new Set<number>()
        for (const [index, { body, length, inMemory, stepsAfter }] of parts.entries()) {
          const bytes = bytesOf(length, index)
          const block = inMemory && !used.has(body) ? body : undefined
          if (block !== undefined) used.add(block)
          lanes.accept({ body, ...partOf(bytes, block) })
          came.set(body, [...(came.get(body) ?? []), bytes])
          for (let steps = 0; steps < stepsAfter && lanes.isBusy(); steps += 1) answers.push(...lanes.step())
        }
        for (const body of came.keys()) lanes.accept({ body, end: 'digest' })
        answers.push(...answersOf(lanes))
        for (const [body, bytes] of came) {
          expect(hashesOf(answers, body)).toEqual(expected(Buffer.concat(bytes)))
          expect(answers.filter((answer) => answer.body === body)).toHaveLength(bytes.length + 1)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('a body that is dropped is forgotten with all that waits, and the others go on', () => {
    const lanes = begun()
    const kept = bytesOf(100_000, 1)
    lanes.accept({ body: 1, ...partOf(kept, 0) })
    lanes.accept({ body: 2, ...partOf(bytesOf(200_000, 2), 1) })
    const before = lanes.step()
    lanes.accept({ body: 2, end: 'drop' })
    lanes.accept({ body: 1, end: 'digest' })
    const answers = [...before, ...answersOf(lanes)]
    expect(answers.filter(({ body }) => body === 2)).toEqual([])
    expect(hashesOf(answers, 1)).toEqual(expected(kept))
  })

  test('none of many bodies waits for ever', () => {
    const lanes = begun()
    const many = 20
    for (let body = 0; body < many; body += 1) lanes.accept({ body, bytes: bytesOf(100_000, body) })
    const done = new Set<number>()
    // Four at a time, 32 KiB of each: four rounds for all, and as many again for what is left of a block.
    for (let step = 0; step < (many / 4) * 5; step += 1) for (const { body } of lanes.step()) done.add(body)
    expect(done.size).toBe(many)
  })

  test(
    'what is longer than a number of 32 bits counts is hashed as OpenSSL does',
    { timeout: 60_000 },
    () => {
      // Zeros, all from the same block: 512 MiB and a bit have more than 2^32 bits.
      const lanes = begun()
      const zeros = new Uint8Array(1024 * 1024)
      const whole = createHash('md5')
      for (let count = 0; count < 513; count += 1) {
        lanes.accept({ body: 1, bytes: zeros })
        whole.update(zeros)
      }
      lanes.accept({ body: 1, end: 'digest' })
      expect(hashesOf(answersOf(lanes), 1)?.md5).toBe(whole.digest('hex'))
    },
  )
})
