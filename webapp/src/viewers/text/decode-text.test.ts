import { expect, test } from 'vitest'
import { decodeText, looksBinary } from './decode-text.ts'

const bytes = (...values: number[]) => new Uint8Array(values)
const utf16 = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))

test.for([
  ['UTF-8', new TextEncoder().encode('größe 🎉'), 'text/plain; charset=utf-8', 'größe 🎉'],
  ['undeclared UTF-8', new TextEncoder().encode('größe'), 'application/octet-stream', 'größe'],
  ['UTF-8 with a mark', bytes(0xef, 0xbb, 0xbf, 0x61), 'text/plain; charset=iso-8859-1', 'a'],
  ['UTF-16 with a mark', utf16('größe'), 'text/plain; charset=utf-8', 'größe'],
  ['UTF-16 big-endian', bytes(0xfe, 0xff, 0x00, 0x61), 'text/plain', 'a'],
  [
    'Latin-1 under the name of UTF-8',
    bytes(0x67, 0x72, 0xf6, 0xdf, 0x65),
    'text/plain; charset=utf-8',
    'größe',
  ],
  ['windows-1252', bytes(0x80, 0x93), '', '€“'],
  ['what is declared', bytes(0xcf, 0xf0, 0xe8), 'text/plain; charset="windows-1251"', 'При'],
  ['an unknown encoding', bytes(0x61), 'text/plain; charset=nonsense', 'a'],
  ['nothing', bytes(), 'text/plain', ''],
] as const)('%s is read', ([, encoded, type, text]) => {
  expect(decodeText(encoded, type)).toBe(text)
})

test('a NUL character marks the file as binary', () => {
  expect([looksBinary('a\0b'), looksBinary('a\tb\u001b[0m')]).toEqual([true, false])
})
