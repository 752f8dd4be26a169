import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { parseFileName } from './file-name.ts'

const flat = { folders: false }
const nested = { folders: true }
const rejected = { ok: false, reason: expect.stringMatching(/; (remove|shorten|give|choose) /) as unknown }

const codePoint = (value: number) => String.fromCodePoint(value)
const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i)

describe('a file name', () => {
  test.each([
    'report.pdf',
    'a',
    ' spaces around ',
    'no-extension.',
    '...',
    '.hidden',
    'C:\\Users\\me\\..\\x.txt',
    'naïve ☃ 文件 👩‍👩‍👧.txt',
    'e\u0301 is not normalised',
    '100%25 "quoted" <b>.txt',
    'zero\u200bwidth',
  ])('is stored unchanged: %j', (name) => {
    expect(parseFileName(name, flat)).toEqual({ ok: true, name })
    expect(parseFileName(name, nested)).toEqual({ ok: true, name })
  })

  test.each(['', '.', '..'])('is rejected when it names nothing: %j', (name) => {
    expect(parseFileName(name, flat)).toEqual(rejected)
    expect(parseFileName(name, nested)).toEqual(rejected)
  })

  it('has at most 1024 characters, counted as code points', () => {
    for (const character of ['a', 'é', '☃', '𝒳']) {
      const longest = character.repeat(1024)
      expect(parseFileName(longest, flat)).toEqual({ ok: true, name: longest })
      expect(parseFileName(longest + character, flat)).toEqual(rejected)
      expect(parseFileName(longest + 'a', flat)).toEqual(rejected)
    }
    expect(parseFileName('a'.repeat(5_000_000), flat)).toEqual(rejected)
  })

  it('has no lone surrogates', () => {
    for (const name of ['\ud800', 'a\udfffb', '\udc00\ud800', 'x\ud83d']) {
      expect(parseFileName(name, flat)).toEqual(rejected)
    }
  })

  it('has no control characters', () => {
    const controls = [...between(0x00, 0x1f), ...between(0x7f, 0x9f), 0x2028, 0x2029]
    for (const control of controls) expect(parseFileName(`a${codePoint(control)}b`, flat)).toEqual(rejected)
  })

  it('has no characters that change the writing direction', () => {
    const directions = [0x61c, 0x200e, 0x200f, ...between(0x202a, 0x202e), ...between(0x2066, 0x2069)]
    for (const direction of directions)
      expect(parseFileName(`a${codePoint(direction)}b`, flat)).toEqual(rejected)
  })

  it('may have the neighbours of invalid characters', () => {
    for (const neighbour of [
      0x20, 0x7e, 0xa0, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a,
    ]) {
      const name = `a${codePoint(neighbour)}b`
      expect(parseFileName(name, flat)).toEqual({ ok: true, name })
    }
  })
})

describe('a slash', () => {
  it('separates folders where folders are allowed', () => {
    expect(parseFileName('a/b c/d.txt', nested)).toEqual({ ok: true, name: 'a/b c/d.txt' })
    expect(parseFileName('.../..a/b..', nested)).toEqual({ ok: true, name: '.../..a/b..' })
  })

  it('is rejected where they are not', () => {
    expect(parseFileName('a/b', flat)).toEqual({ ok: false, reason: 'the file name has a "/"; remove it' })
  })

  test.each(['/', '/a', 'a/', 'a//b', '../a', 'a/..', 'a/../b', './a', 'a/./b', '//'])(
    'never makes an empty, "." or ".." segment: %j',
    (name) => {
      expect(parseFileName(name, nested)).toEqual(rejected)
    },
  )
})

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

test('an accepted name is unchanged and follows every rule', () => {
  const hostile = fc.string({ unit: character, maxLength: 40 })
  const pathLike = fc
    .array(fc.constantFrom('a', '.', '..', '/', '\\', '\0', '\u202e', '\ud800', '😀', 'C:'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(hostile, pathLike), fc.boolean(), (raw, folders) => {
      const result = parseFileName(raw, { folders })
      if (!result.ok) return
      expect(result.name).toBe(raw)
      expect(encodeURIComponent(raw)).not.toBe('')
      expect(raw).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
      const segments = folders ? raw.split('/') : [raw]
      expect(segments.filter((segment) => ['', '.', '..'].includes(segment))).toEqual([])
      if (!folders) expect(raw).not.toContain('/')
    }),
    { numRuns: 500 },
  )
})
