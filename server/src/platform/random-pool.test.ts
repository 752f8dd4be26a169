import { expect, test } from 'vitest'
import { randomPool } from './random-pool.ts'

/** Fills memory with 32-bit numbers that count up, so that no four bytes come twice. */
function counting() {
  let next = 1
  let questions = 0
  const fill = (into: Uint8Array<ArrayBuffer>) => {
    questions += 1
    const view = new DataView(into.buffer, into.byteOffset, into.length)
    for (let at = 0; at + 4 <= into.length; at += 4) view.setUint32(at, next++)
  }
  return { fill, questions: () => questions }
}

test('gives no byte twice, and asks once for many', () => {
  const source = counting()
  const random = randomPool(source.fill)
  const given = new Set<number>()
  for (let count = 0; count < 1000; count += 1) {
    const bytes = new Uint8Array(32)
    random(bytes)
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < bytes.length; at += 4) given.add(view.getUint32(at))
  }
  expect(given.size).toBe(8000)
  expect(given.has(0)).toBe(false)
  expect(source.questions()).toBe(8)
})

test('leaves nothing of what it gave in its memory', () => {
  let pool = new Uint8Array()
  const random = randomPool((into) => {
    pool = into
    into.fill(7)
  })
  random(new Uint8Array(100))
  expect(pool.filter((byte) => byte === 7)).toHaveLength(pool.length - 100)
})

test.each([4096, 4097])('fills %i bytes', (length) => {
  const bytes = new Uint8Array(length)
  randomPool((into) => into.fill(9))(bytes)
  expect(bytes.every((byte) => byte === 9)).toBe(true)
})
