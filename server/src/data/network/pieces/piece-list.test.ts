import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../backend/backend.ts'
import { behind, mostPieces, pieceId, readPieces, writePieces, type Piece } from './piece-list.ts'

const mostSession = 32 * 1024
const terabyte = 1024 ** 4

const words = fc.stringMatching(/^[0-9A-Za-z]{8}$/)

/** Pieces as appends leave them: some are named after the end of what was there when they were merged. */
const lists = fc
  .array(fc.tuple(words, fc.integer({ min: 1, max: 2 ** 31 }), fc.option(fc.nat(terabyte))), {
    maxLength: 50,
  })
  .map((all) => {
    let end = 0
    return all.map(([word, size, merged]): Piece => {
      end += size
      return { id: pieceId(merged === null ? end : end + merged, word), size }
    })
  })
const ids = fc.array(fc.tuple(fc.nat(terabyte), words).map(([offset, word]) => pieceId(offset, word)))

describe('the list of pieces', () => {
  test('is read as it was written, with the number of their bytes', () => {
    fc.assert(
      fc.property(lists, ids, (pieces, superseded) => {
        const stored = writePieces({ pieces, superseded })
        expect(stored.offset).toBe(pieces.reduce((sum, { size }) => sum + size, 0))
        expect(readPieces(stored)).toEqual({ pieces, superseded })
      }),
    )
  })

  test('is short enough for a session, however many and large its pieces are', () => {
    const size = 1024 ** 3
    const pieces = Array.from({ length: mostPieces }, (_, index) => ({
      id: pieceId(5 * terabyte + index, 'zzzzzzzz'),
      size,
    }))
    const superseded = pieces.map(({ id }) => id)
    const stored = writePieces({ pieces, superseded })
    expect(stored.session.length).toBeLessThanOrEqual(mostSession)
    const read = readPieces(stored)
    expect(read.pieces).toEqual(pieces)
    expect(read.superseded).toEqual(superseded.slice(-read.superseded.length))
  })

  test.each([
    { offset: 1, session: '' },
    { offset: 0, session: '2;;' },
    { offset: 5, session: '1;abcdefgh4;' },
    { offset: 4, session: '1;abc/..gh4;' },
    { offset: 4, session: '1;abcdefgh4,;' },
    { offset: 4, session: '{"pieces":[]}' },
  ])('is refused when it is none: $session at $offset', (stored) => {
    expect(() => readPieces(stored)).toThrow(StoreUnavailableError)
  })

  test('of an append that was overtaken comes behind all that was kept, and nothing else does', () => {
    const offsets = fc.nat(terabyte)
    fc.assert(
      fc.property(offsets, offsets, words, (kept, end, word) => {
        expect(pieceId(end, word) > behind(kept)).toBe(end > kept)
      }),
    )
  })
})
