import { randomBytes } from 'node:crypto'
import * as zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { crc32 } from './crc32.ts'
import { centralRecord, dataDescriptor, endRecords } from './records.ts'

test('the checksum is that of every zip, in one piece or in several', () => {
  const bytes = randomBytes(1000)
  expect(crc32(bytes.subarray(300), crc32(bytes.subarray(0, 300), 0))).toBe(zlib.crc32(bytes))
  expect(crc32(new Uint8Array(), 0)).toBe(0)
})

describe('what does not fit into 32 bits', () => {
  const entry = {
    name: new TextEncoder().encode('a'),
    extra: new Uint8Array(),
    modified: Date.parse('2026-03-04T05:06:08Z'),
    streamed: true,
  }
  const view = (bytes: Uint8Array) => new DataView(bytes.buffer)

  test.for([
    [0xfffffffe, 46 + 1],
    [0xffffffff, 46 + 1 + 12],
  ] as const)('an entry that begins at %i has a record of %i bytes', ([offset, length]) => {
    const record = centralRecord({ ...entry, large: false, size: 1, crc32: 1 }, offset)
    expect(record.length).toBe(length)
    const long = record.length > 47
    expect(long ? view(record).getBigUint64(51, true) : BigInt(view(record).getUint32(42, true))).toBe(
      BigInt(offset),
    )
  })

  test('is the size of a large entry', () => {
    const size = 5_000_000_000
    const descriptor = dataDescriptor({ large: true, size, crc32: 7 })
    expect([descriptor.length, view(descriptor).getBigUint64(16, true)]).toEqual([24, BigInt(size)])
  })

  test.for([
    [65_534, 0, 22],
    [65_535, 0, 98],
    [1, 0xfffffffe, 22],
    [1, 0xffffffff, 98],
  ] as const)('an end for %i entries, at %i, has %i bytes', ([count, offset, length]) => {
    expect(endRecords({ count, size: 50, offset }).length).toBe(length)
  })
})
