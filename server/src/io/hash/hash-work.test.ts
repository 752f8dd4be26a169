import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sequentialHasher } from './sequential-hasher.ts'
import { simdHasher } from './simd-hasher.ts'
import { hashMemory } from './hash-memory.ts'
import type { HashResponse, Hashes, HashWork } from './hash-messages.ts'

const blockSize = 256 * 1024
const blocks = 6
const { memory, contextAddress, nextBlock } = hashMemory(2, blocks, blockSize)
const inMemory = Array.from({ length: blocks }, () => nextBlock(blockSize))

const bytesOf = (length: number, seed: number) =>
  Uint8Array.from({ length }, (_, index) => (index * (seed + 7) + (index >> 8) + seed * 31) & 0xff)
const expected = (bytes: Uint8Array): Hashes => ({
  md5: createHash('md5').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

function responsesOf(hasher: HashWork): HashResponse[] {
  const responses: HashResponse[] = []
  while (hasher.isBusy()) responses.push(...hasher.step())
  return responses
}
const hashesOf = (responses: readonly HashResponse[], body: number) =>
  responses.find(({ body: id, hashes }) => id === body && hashes !== undefined)?.hashes

/** The bytes of a request, either in a block of the shared memory or elsewhere. */
function requestBytes(bytes: Uint8Array, block: number | undefined) {
  const target = block === undefined ? undefined : inMemory[block]
  if (target === undefined) return { bytes }
  target.set(bytes)
  return { block: { address: target.byteOffset, length: bytes.length } }
}

describe.each([
  { how: 'up to four at once', work: simdHasher },
  { how: 'one after the other', work: sequentialHasher },
])('$how', ({ work }) => {
  const startHasher = () => work({ memory, contextAddress: contextAddress(1) })

  test.each([0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 121, 32_767, 32_768, 32_769, 65_600])(
    'the hashes of %i bytes are those of OpenSSL and zlib, alone and in parallel',
    (length) => {
      const hasher = startHasher()
      for (let bodyCount = 1; bodyCount <= 6; bodyCount += 1) {
        const bodies = Array.from({ length: bodyCount }, (_, seed) => bytesOf(length + seed, seed))
        for (const [id, bytes] of bodies.entries()) {
          hasher.accept({ body: id, ...requestBytes(bytes, id) })
          hasher.accept({ body: id, end: 'digest' })
        }
        const responses = responsesOf(hasher)
        for (const [id, bytes] of bodies.entries()) expect(hashesOf(responses, id)).toEqual(expected(bytes))
        expect(responses).toHaveLength(bodyCount * 2)
      }
    },
  )

  test('interleaved parts of several bodies are hashed separately', () => {
    const part = fc.record({
      body: fc.nat({ max: 5 }),
      length: fc.oneof(fc.nat({ max: 200 }), fc.nat({ max: 100_000 })),
      inMemory: fc.boolean(),
      stepsAfter: fc.nat({ max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const hasher = startHasher()
        const received = new Map<number, Uint8Array[]>()
        const responses: HashResponse[] = []
        const used = new Set<number>()
        for (const [index, { body, length, inMemory, stepsAfter }] of parts.entries()) {
          const bytes = bytesOf(length, index)
          const block = inMemory && !used.has(body) ? body : undefined
          if (block !== undefined) used.add(block)
          hasher.accept({ body, ...requestBytes(bytes, block) })
          received.set(body, [...(received.get(body) ?? []), bytes])
          for (let steps = 0; steps < stepsAfter && hasher.isBusy(); steps += 1)
            responses.push(...hasher.step())
        }
        for (const body of received.keys()) hasher.accept({ body, end: 'digest' })
        responses.push(...responsesOf(hasher))
        for (const [body, bytes] of received) {
          expect(hashesOf(responses, body)).toEqual(expected(Buffer.concat(bytes)))
          expect(responses.filter((response) => response.body === body)).toHaveLength(bytes.length + 1)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('dropping a body discards its waiting requests, and the others continue', () => {
    const hasher = startHasher()
    const kept = bytesOf(100_000, 1)
    hasher.accept({ body: 1, ...requestBytes(kept, 0) })
    hasher.accept({ body: 2, ...requestBytes(bytesOf(200_000, 2), 1) })
    const before = hasher.step()
    const more = bytesOf(1_000, 3)
    hasher.accept({ body: 1, bytes: more })
    hasher.accept({ body: 2, end: 'drop' })
    hasher.accept({ body: 1, end: 'digest' })
    const responses = [...before, ...responsesOf(hasher)]
    expect(responses.filter(({ body }) => body === 2)).toEqual([])
    expect(hashesOf(responses, 1)).toEqual(expected(Buffer.concat([kept, more])))
  })

  test('nothing of a dropped body remains', () => {
    const hasher = startHasher()
    expect(hasher.isBusy()).toBe(false)
    hasher.accept({ body: 1, bytes: bytesOf(1_000, 1) })
    expect(responsesOf(hasher)).toEqual([{ body: 1 }])
    hasher.accept({ body: 1, end: 'drop' })
    expect(hasher.isBusy()).toBe(false)
    const bytes = bytesOf(100, 2)
    hasher.accept({ body: 1, bytes })
    hasher.accept({ body: 1, end: 'digest' })
    expect(hashesOf(responsesOf(hasher), 1)).toEqual(expected(bytes))
  })

  test('every one of many bodies makes progress', () => {
    const hasher = startHasher()
    const many = 20
    for (let body = 0; body < many; body += 1) hasher.accept({ body, bytes: bytesOf(100_000, body) })
    const done = new Set<number>()
    // Four at a time, 32 KiB of each: four rounds for all, and one more for the rest.
    for (let step = 0; step < (many / 4) * 5; step += 1) for (const { body } of hasher.step()) done.add(body)
    expect(done.size).toBe(many)
  })

  test('a body of more than 2^32 bits is hashed correctly', { timeout: 60_000 }, () => {
    // Zeros, all from the same block: 513 MiB have more than 2^32 bits.
    const hasher = startHasher()
    const zeros = new Uint8Array(1024 * 1024)
    const whole = createHash('md5')
    for (let count = 0; count < 513; count += 1) {
      hasher.accept({ body: 1, bytes: zeros })
      whole.update(zeros)
    }
    hasher.accept({ body: 1, end: 'digest' })
    expect(hashesOf(responsesOf(hasher), 1)?.md5).toBe(whole.digest('hex'))
  })
})
