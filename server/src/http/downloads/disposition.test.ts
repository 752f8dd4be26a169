import { parse } from 'content-disposition'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFileName } from '../../domain/files/file-name.ts'
import { contentDisposition } from './disposition.ts'

test.each([
  ['report.pdf', 'inline; filename=report.pdf'],
  ['my report.pdf', 'inline; filename="my report.pdf"'],
  ['100%.txt', 'inline; filename=100%.txt'],
  ['a;b=c,d.txt', 'inline; filename="a;b=c,d.txt"'],
  ['folder/sub folder/x.txt', 'inline; filename=x.txt'],
  ['Grüße.txt', `inline; filename=Gr__e.txt; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`],
])('%s has its name in the header', (name, expected) => {
  expect(contentDisposition(name, 'inline')).toBe(expected)
})

test('characters that clients interpret differently are only in filename*', () => {
  expect(contentDisposition('a "b" c:\\d.txt', 'attachment')).toBe(
    `attachment; filename="a _b_ c:_d.txt"; filename*=UTF-8''a%20%22b%22%20c%3A%5Cd.txt`,
  )
  expect(contentDisposition('50%25.txt', 'attachment')).toBe(
    `attachment; filename=50_25.txt; filename*=UTF-8''50%2525.txt`,
  )
})

test('each character outside ASCII becomes one underscore', () => {
  expect(contentDisposition('😀é.png', 'inline')).toBe(
    `inline; filename=__.png; filename*=UTF-8''%F0%9F%98%80%C3%A9.png`,
  )
})

test('a name with broken Unicode does not throw', () => {
  expect(contentDisposition('a\ud800.txt', 'inline')).toBe(
    `inline; filename=a_.txt; filename*=UTF-8''a%EF%BF%BD.txt`,
  )
})

/** A strict parser for RFC 6266 and RFC 8187, independent of the library that writes the header. */
function readHeader(header: string): {
  readonly type: string
  readonly fallback: string
  readonly name: string
} {
  const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
  const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\t \\x21-\\x7e])*"'
  const extended = "UTF-8''((?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-F]{2})*)"
  const grammar = new RegExp(
    `^(inline|attachment); filename=(${token}|${quoted})(?:; filename\\*=${extended})?$`,
  )
  const [, type = '', written = '', exact] = grammar.exec(header) ?? []
  const fallback = written.startsWith('"') ? written.slice(1, -1).replace(/\\(.)/g, '$1') : written
  return { type, fallback, name: exact === undefined ? fallback : decodeURIComponent(exact) }
}

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

test('every valid name can be read back from an ASCII header', () => {
  const anyName = fc.string({ unit: character, minLength: 1, maxLength: 50 })
  const tricky = fc
    .array(
      fc.constantFrom('"', '\\', '%', '41', "'", ';', '=', '/', ' ', 'é', '😀', '*', '(', ')', "UTF-8''"),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''))
  const accepted = fc.oneof(anyName, tricky).filter((name) => parseFileName(name, { folders: true }).ok)
  fc.assert(
    fc.property(accepted, fc.constantFrom('inline' as const, 'attachment' as const), (name, type) => {
      const header = contentDisposition(name, type)
      const last = name.split('/').at(-1)
      expect(header).toMatch(/^[\x20-\x7e]+$/)
      const read = readHeader(header)
      expect({ type: read.type, name: read.name }).toEqual({ type, name: last })
      expect(read.fallback).not.toMatch(/["\\/]|%[0-9a-f]{2}/i)
      expect(parse(header).parameters['filename']).toBe(last)
    }),
    { numRuns: 300 },
  )
})
