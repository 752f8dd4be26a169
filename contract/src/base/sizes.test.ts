import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatSize, parseSize, parseTypedSize } from './sizes.ts'

describe('parseSize', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['500000', 500_000],
    ['007', 7],
    ['12 B', 12],
    ['1kB', 1000],
    ['1 KB', 1000],
    ['1 KiB', 1024],
    ['3 MB', 3_000_000],
    ['16MiB', 16_777_216],
    ['10 GB', 10_000_000_000],
    ['10GB', 10_000_000_000],
    ['10gb', 10_000_000_000],
    ['10GiB', 10_737_418_240],
    ['  10 \t GB ', 10_000_000_000],
    ['2 TB', 2e12],
    ['1 TiB', 2 ** 40],
    ['9 PB', 9e15],
    ['7 PiB', 7 * 2 ** 50],
    ['1.5 GB', 1_500_000_000],
    ['0.1 GB', 100_000_000],
    ['0.001 kB', 1],
    ['1.5 KiB', 1536],
    ['1.0', 1],
    ['4.000000000000000 kB', 4000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['9.007199254740991 PB', Number.MAX_SAFE_INTEGER],
    ['unlimited', -1],
    ['UNLIMITED', -1],
    ['-1', -1],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes)
  })

  test.each([
    '',
    ' ',
    '-',
    '-2',
    '-1 GB',
    '+1',
    '1e3',
    '0x10',
    'NaN',
    'Infinity',
    '1.5',
    '0.0001 kB',
    '1.1 KiB',
    '.5 GB',
    '5. GB',
    '1,5 GB',
    '1 000',
    '1_000',
    '10 G',
    '10 GBs',
    '10 EB',
    'GB',
    '10 GB 5 MB',
    '9007199254740992',
    '9.007199254740992 PB',
    '8 PiB',
    '10 PB',
    '99999999999999999999999999',
    '٣ GB',
    'no limit',
    '10\u0000GB',
  ])('rejects %j', (text) => {
    expect(parseSize(text)).toBeUndefined()
  })

  test('returns a safe integer of at least -1, or undefined, for any text', () => {
    const tokens = fc.constantFrom(
      '-',
      '1',
      '9',
      '0',
      '.',
      ' ',
      'k',
      'K',
      'M',
      'G',
      'P',
      'i',
      'B',
      'unlimited',
    )
    const hostile = fc.oneof(
      fc.string(),
      fc.array(tokens, { maxLength: 24 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(hostile, (text) => {
        const bytes = parseSize(text)
        return bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= -1)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('parseTypedSize', () => {
  test.each([
    ['4096', 4096],
    ['500k', 500_000],
    ['1.5 MB', 1_500_000],
    ['2MiB', 2_097_152],
    ['2mi', 2_097_152],
    ['3T', 3e12],
    ['12 b', 12],
    ['1.5', 2],
    ['0.0014 kB', 1],
  ])('reads %j as %d bytes', (text, bytes) => {
    expect(parseTypedSize(text)).toBe(bytes)
  })

  test.each(['0', '0.4', '', 'fast', '1e9', '-1', 'unlimited', '5 x', '9007199254740992'])(
    'rejects %j',
    (text) => {
      expect(parseTypedSize(text)).toBeUndefined()
    },
  )
})

describe('formatSize', () => {
  test.each([
    [-1, 'unlimited'],
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [1001, '1.001 kB'],
    [1024, '1 KiB'],
    [1500, '1.5 kB'],
    [1_048_576, '1 MiB'],
    [1_048_577, '1048577 B'],
    [1_500_000_000, '1.5 GB'],
    [10_000_000_000, '10 GB'],
    [1_234_567_890, '1234567890 B'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991 B'],
  ])('writes %d bytes as %j', (bytes, text) => {
    expect(formatSize(bytes)).toBe(text)
  })

  test('is the inverse of parseSize', () => {
    const round = fc
      .tuple(
        fc.integer({ min: 0, max: 9_000_000 }),
        fc.constantFrom(1, 1e3, 1e6, 1e9, 1024, 1024 ** 2, 1024 ** 3),
      )
      .map(([count, unit]) => count * unit)
      .filter(Number.isSafeInteger)
    fc.assert(
      fc.property(fc.oneof(fc.maxSafeNat(), round, fc.constant(-1)), (bytes) => {
        expect(parseSize(formatSize(bytes))).toBe(bytes)
      }),
      { numRuns: 2000 },
    )
  })
})
