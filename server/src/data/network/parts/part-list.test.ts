import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../backend/backend.ts'
import { idAfter, maxParts, partId, parsePartList, formatPartList, type ListedPart } from './part-list.ts'

const maxSessionLength = 32 * 1024
const terabyte = 1024 ** 4

const suffixes = fc.stringMatching(/^[0-9A-Za-z]{8}$/)

/** Parts as appends leave them: merged parts are named after the size of the file at the time of the merge. */
const lists = fc
  .array(fc.tuple(suffixes, fc.integer({ min: 1, max: 2 ** 31 }), fc.option(fc.nat(terabyte))), {
    maxLength: 50,
  })
  .map((all) => {
    let end = 0
    return all.map(([suffix, size, merged]): ListedPart => {
      end += size
      return { id: partId(merged === null ? end : end + merged, suffix), size }
    })
  })
const ids = fc.array(fc.tuple(fc.nat(terabyte), suffixes).map(([offset, suffix]) => partId(offset, suffix)))

describe('the list of parts', () => {
  test('is parsed as it was formatted, with the sum of the sizes', () => {
    fc.assert(
      fc.property(lists, ids, (parts, superseded) => {
        const stored = formatPartList({ parts, superseded })
        expect(stored.offset).toBe(parts.reduce((sum, { size }) => sum + size, 0))
        expect(parsePartList(stored)).toEqual({ parts, superseded })
      }),
    )
  })

  test('is short enough for a session, for any number and size of parts', () => {
    const size = 1024 ** 3
    const parts = Array.from({ length: maxParts }, (_, index) => ({
      id: partId(5 * terabyte + index, 'zzzzzzzz'),
      size,
    }))
    const superseded = parts.map(({ id }) => id)
    const stored = formatPartList({ parts, superseded })
    expect(stored.session.length).toBeLessThanOrEqual(maxSessionLength)
    const read = parsePartList(stored)
    expect(read.parts).toEqual(parts)
    expect(read.superseded).toEqual(superseded.slice(-read.superseded.length))
  })

  test.each([
    { offset: 1, session: '' },
    { offset: 0, session: '2;;' },
    { offset: 5, session: '1;abcdefgh4;' },
    { offset: 4, session: '1;abc/..gh4;' },
    { offset: 4, session: '1;abcdefgh4,;' },
    { offset: 4, session: '{"parts":[]}' },
  ])('is rejected when it is invalid: $session at $offset', (stored) => {
    expect(() => parsePartList(stored)).toThrow(StoreUnavailableError)
  })

  test('orders ids of uncommitted parts after those of committed parts', () => {
    const offsets = fc.nat(terabyte)
    fc.assert(
      fc.property(offsets, offsets, suffixes, (kept, end, suffix) => {
        expect(partId(end, suffix) > idAfter(kept)).toBe(end > kept)
      }),
    )
  })
})
