import { expect, test } from 'vitest'
import { randomPool } from './random-pool.ts'

/** Fills memory with ascending 32-bit numbers, so that no four bytes repeat. */
function countingSource() {
  let next = 1
  let calls = 0
  const fill = (into: Uint8Array<ArrayBuffer>) => {
    calls += 1
    const view = new DataView(into.buffer, into.byteOffset, into.length)
    for (let at = 0; at + 4 <= into.length; at += 4) view.setUint32(at, next++)
  }
  return { fill, calls: () => calls }
}

test('returns no byte twice, and reads the source in large blocks', () => {
  const source = countingSource()
  const random = randomPool(source.fill)
  const values = new Set<number>()
  for (let count = 0; count < 1000; count += 1) {
    const bytes = new Uint8Array(32)
    random(bytes)
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < bytes.length; at += 4) values.add(view.getUint32(at))
  }
  expect(values.size).toBe(8000)
  expect(values.has(0)).toBe(false)
  expect(source.calls()).toBe(8)
})

test('wipes the bytes that it has returned', () => {
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
