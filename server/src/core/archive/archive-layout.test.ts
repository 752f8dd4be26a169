import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { archiveLayout, type ArchiveEntry, type ArchiveLayout } from './archive-layout.ts'

const modified = Date.parse('2026-03-04T05:06:07.890Z')
const entry = (name: string, size: number, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  name,
  size,
  crc32: 0x12345678,
  modified,
  ...more,
})

/** Contents that differ between entries and from byte to byte. */
function content(index: number, start: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => (index * 31 + (start + at) * 7) % 251)
}

/** The bytes of a range, combined as for a download. */
function bytesOf(layout: ArchiveLayout, start = 0, end = layout.size - 1): Buffer {
  const segments = [...layout.segments(start, end)]
  return Buffer.concat(
    segments.map((segment) =>
      segment.kind === 'bytes' ? segment.bytes : content(segment.index, segment.start, segment.length),
    ),
  )
}

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

const anEntry = fc
  .record({
    name: fc.string({ unit: character, minLength: 1, maxLength: 12 }),
    size: fc.nat(40),
    crc32: fc.nat(0xffffffff),
    modified: fc.integer({ min: -1e13, max: 1e13 }),
  })
  .map((fields): ArchiveEntry => fields)

describe('any range of an archive', () => {
  it('is the same bytes as in the whole', () => {
    const ranged = fc.array(anEntry, { maxLength: 8 }).chain((entries) => {
      const last = archiveLayout(entries).size - 1
      return fc.tuple(fc.constant(entries), fc.nat(last), fc.nat(last))
    })
    fc.assert(
      fc.property(ranged, ([entries, one, other]) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)]
        const layout = archiveLayout(entries)
        const whole = bytesOf(layout)
        expect(whole.length).toBe(layout.size)
        expect(bytesOf(layout, start, end)).toEqual(whole.subarray(start, end + 1))
        expect(bytesOf(archiveLayout(entries))).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })

  it('can be each single byte', () => {
    const layout = archiveLayout([entry('a', 3), entry('empty', 0), entry('b/ü', 5)])
    const whole = bytesOf(layout)
    for (let at = 0; at < layout.size; at++)
      expect(bytesOf(layout, at, at)).toEqual(whole.subarray(at, at + 1))
  })

  it('can cross the batches of a long central directory', () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `file ${String(10_000 + index)}`)
    const layout = archiveLayout(names.map((name) => entry(name, 1)))
    const whole = bytesOf(layout)
    const directory = 5_000 * (30 + 10 + 9 + 1)
    expect(layout.size).toBe(directory + 5_000 * (46 + 10 + 9) + 22)
    for (let start = directory - 100; start < layout.size; start += 29_989) {
      const end = Math.min(start + 70_000, layout.size - 1)
      expect(bytesOf(layout, start, end).equals(whole.subarray(start, end + 1))).toBe(true)
    }
  })

  it('must be inside the archive', () => {
    const layout = archiveLayout([entry('a', 3)])
    for (const [start, end] of [
      [-1, 0],
      [1, 0],
      [0, layout.size],
      [NaN, 1],
      [0, NaN],
    ] as const) {
      expect(() => layout.segments(start, end)).toThrow(RangeError)
    }
  })
})

describe('the segments', () => {
  it('are header, content, header, content, central directory, end', () => {
    const layout = archiveLayout([entry('a', 3), entry('bc', 4)])
    const segments = [...layout.segments(0, layout.size - 1)].map((segment) =>
      segment.kind === 'bytes' ? segment.bytes.length : segment,
    )
    expect(segments).toEqual([
      30 + 1 + 9,
      { kind: 'entry', index: 0, start: 0, length: 3 },
      30 + 2 + 9,
      { kind: 'entry', index: 1, start: 0, length: 4 },
      2 * (46 + 9) + 3,
      22,
    ])
  })

  it('are never empty', () => {
    const layout = archiveLayout([entry('a', 0), entry('b', 2), entry('c', 0)])
    const ofEntries = [...layout.segments(0, layout.size - 1)].filter((segment) => segment.kind === 'entry')
    expect(ofEntries).toEqual([{ kind: 'entry', index: 1, start: 0, length: 2 }])
  })

  it('are generated on demand', () => {
    const layout = archiveLayout([entry('a', 1), { ...entry('b', 1), crc32: -1 }])
    const segments = layout.segments(0, layout.size - 1)[Symbol.iterator]()
    expect(segments.next().done).toBe(false)
    expect(segments.next().value).toEqual({ kind: 'entry', index: 0, start: 0, length: 1 })
    expect(() => segments.next()).toThrow(RangeError)
  })

  it('of a range in a huge entry are a single one', () => {
    const terabyte = 2 ** 40
    const layout = archiveLayout([entry('a', terabyte), entry('b', terabyte), entry('c', terabyte)])
    const header = 30 + 1 + 20 + 9
    const at = 1.5 * terabyte
    expect([...layout.segments(at, at + 9)]).toEqual([
      { kind: 'entry', index: 1, start: at - terabyte - 2 * header, length: 10 },
    ])
  })
})

test('an archive of nothing is only its end', () => {
  const layout = archiveLayout([])
  expect(bytesOf(layout).toString('hex')).toBe(`504b0506${'00'.repeat(18)}`)
})

test('a small archive matches the format byte for byte', () => {
  const text = Buffer.from('hi')
  const layout = archiveLayout([entry('ü', 2, { crc32: crc32(text) })])
  const common = [
    '1400 0008 0000', // version 2.0, UTF-8 names, stored
    'c328 645c', // 05:06:06, 2026-03-04
    crc32Hex(text),
    '02000000 02000000 0200 0900',
  ].join(' ')
  const name = 'c3bc'
  const time = `5554 0500 01 ${secondsHex(modified)}`
  const expected = [
    `504b0304 ${common} ${name} ${time}`,
    `0007`, // the content of the model above
    `504b0102 2d03 ${common} 0000 0000 0000 0000a481 00000000 ${name} ${time}`,
    `504b0506 0000 0000 0100 0100 39000000 2b000000 0000`,
  ].join(' ')
  expect(bytesOf(layout).toString('hex')).toBe(expected.replaceAll(' ', ''))
})

function crc32Hex(bytes: Uint8Array): string {
  const field = Buffer.alloc(4)
  field.writeUInt32LE(crc32(bytes))
  return field.toString('hex')
}

function secondsHex(time: number): string {
  const field = Buffer.alloc(4)
  field.writeInt32LE(Math.floor(time / 1000))
  return field.toString('hex')
}

describe('zip64', () => {
  const full = 0xffffffff
  const part = (layout: ArchiveLayout, start: number, length: number) =>
    bytesOf(layout, start, start + length - 1)
  /** The end of the central directory, and whether its zip64 form comes before it. */
  const endOf = (layout: ArchiveLayout) => {
    const end = part(layout, layout.size - 22, 22)
    const zip64 = layout.size >= 98 && part(layout, layout.size - 98, 4).toString('hex') === '504b0606'
    return { zip64, count: end.readUInt16LE(10), offset: end.readUInt32LE(16) }
  }

  it('is in the header of an entry whose size is 0xFFFFFFFF or more', () => {
    const below = part(archiveLayout([entry('a', full - 1)]), 0, 40)
    expect([
      below.readUInt16LE(4),
      below.readUInt32LE(18),
      below.readUInt32LE(22),
      below.readUInt16LE(28),
    ]).toEqual([20, full - 1, full - 1, 9])
    for (const size of [full, full + 1, 2 ** 50]) {
      const header = part(archiveLayout([entry('a', size)]), 0, 60)
      expect([
        header.readUInt16LE(4),
        header.readUInt32LE(18),
        header.readUInt32LE(22),
        header.readUInt16LE(28),
      ]).toEqual([45, full, full, 29])
      expect([header.readUInt16LE(31), header.readUInt16LE(33)]).toEqual([1, 16])
      expect([header.readBigUInt64LE(35), header.readBigUInt64LE(43)]).toEqual([BigInt(size), BigInt(size)])
    }
  })

  it('is in the central record of an entry that begins at 0xFFFFFFFF or later', () => {
    const header = 30 + 1 + 9
    const nearly = full - 200
    for (const offset of [full - 1, full, full + 1]) {
      const entries = [entry('a', nearly), entry('b', offset - nearly - 2 * header), entry('c', 0)]
      const layout = archiveLayout(entries)
      const large = offset >= full
      const length = 46 + 1 + (large ? 12 : 0) + 9
      const record = part(layout, layout.size - 98 - length, length)
      expect({
        signature: record.readUInt32LE(0),
        version: record.readUInt16LE(6),
        offset: record.readUInt32LE(42),
        extra: large ? [record.readUInt16LE(47), record.readUInt16LE(49), record.readBigUInt64LE(51)] : [],
      }).toEqual({
        signature: 0x02014b50,
        version: large ? 45 : 20,
        offset: Math.min(offset, full),
        extra: large ? [1, 8, BigInt(offset)] : [],
      })
    }
  })

  it('is in the end when the central directory begins at 0xFFFFFFFF or later', () => {
    for (const [offset, zip64] of [
      [full - 1, false],
      [full, true],
    ] as const) {
      const layout = archiveLayout([entry('a', offset - 40)])
      expect(endOf(layout)).toEqual({ zip64, count: 1, offset })
    }
  })

  it('is in the end from 65,535 entries on', () => {
    const many = (count: number) =>
      endOf(archiveLayout(Array.from({ length: count }, (_, index) => entry(String(index), 0))))
    expect(many(65_534)).toMatchObject({ zip64: false, count: 65_534 })
    expect(many(65_535)).toMatchObject({ zip64: true, count: 0xffff })
    expect(many(65_536)).toMatchObject({ zip64: true, count: 0xffff })
  })
})

describe('the entity tag', () => {
  const entries = [entry('a', 1), entry('b', 2)]
  const tag = (listed: readonly ArchiveEntry[]) => archiveLayout(listed).etag

  it('is a strong one', () => {
    expect(tag(entries)).toMatch(/^"[\w-]{27}"$/)
    expect(tag([])).toMatch(/^"[\w-]{27}"$/)
  })

  it('is the same for the same entries', () => {
    expect(tag(structuredClone(entries))).toBe(tag(entries))
  })

  it('changes with any field of an entry, and with their order', () => {
    const others = [
      [],
      [entry('a', 1)],
      [entry('b', 2), entry('a', 1)],
      [...entries, entry('c', 0)],
      [entry('A', 1), entry('b', 2)],
      [entry('a', 2), entry('b', 2)],
      [entry('a', 1, { crc32: 1 }), entry('b', 2)],
      [entry('a', 1, { modified: modified + 1000 }), entry('b', 2)],
      [entry('a', 1), entry('b","2', 2)],
    ]
    const tags = [entries, ...others].map(tag)
    expect(new Set(tags).size).toBe(tags.length)
  })
})

test('a name that is too long for a zip is rejected', () => {
  expect(archiveLayout([entry('a'.repeat(65_535), 0)]).size).toBe(30 + 46 + 22 + 2 * (65_535 + 9))
  expect(() => archiveLayout([entry('é'.repeat(32_768), 0)])).toThrow(RangeError)
})
