import { describe, expect, test } from 'vitest'
import { localHeader } from './zip-records.ts'

describe('the time of an entry', () => {
  const header = (time: number) => {
    const bytes = Buffer.from(localHeader({ name: 'a', size: 0, crc32: 0, modified: time }))
    const [clock, day] = [bytes.readUInt16LE(10), bytes.readUInt16LE(12)]
    const two = (value: number) => String(value).padStart(2, '0')
    return {
      dos: `${String(1980 + (day >> 9))}-${two((day >> 5) & 15)}-${two(day & 31)} ${two(clock >> 11)}:${two((clock >> 5) & 63)}:${two((clock & 31) * 2)}`,
      exact: bytes.readUInt16LE(28) === 9 ? bytes.readInt32LE(30 + 1 + 5) : null,
    }
  }

  test.each([
    ['1980-01-01T00:00:00Z', '1980-01-01 00:00:00', 315532800],
    ['1979-12-31T23:59:59Z', '1980-01-01 00:00:00', 315532799],
    ['1970-01-01T00:00:00Z', '1980-01-01 00:00:00', 0],
    ['1969-12-31T23:59:59.500Z', '1980-01-01 00:00:00', -1],
    ['2026-12-31T23:59:59.999Z', '2026-12-31 23:59:58', 1798761599],
    ['2038-01-19T03:14:07Z', '2038-01-19 03:14:06', 2147483647],
    ['2038-01-19T03:14:08Z', '2038-01-19 03:14:08', null],
    ['2107-12-31T23:59:59Z', '2107-12-31 23:59:58', null],
    ['2108-01-01T00:00:00Z', '2107-12-31 23:59:58', null],
  ])('%s', (time, dos, exact) => {
    expect(header(Date.parse(time))).toEqual({ dos, exact })
  })
})
