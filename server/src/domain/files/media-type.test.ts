import { supportedMimeTypes } from 'file-type'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { servedType } from './media-type.ts'

const plain = { e2ee: false }
const octets = 'application/octet-stream'

test.each([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
  'audio/mpeg',
  'audio/x-m4a',
  'audio/ogg; codecs=opus',
  'audio/ogg;codecs=opus',
  'video/mp4',
  'video/webm',
  'video/vnd.avi',
])('%s is sent unchanged', (type) => {
  expect(servedType(type, plain)).toBe(type)
})

test.each([
  'text/plain',
  ' text/plain ',
  'text/plain; charset=utf-16',
  'text/plain;charset=utf-8',
  'TEXT/PLAIN',
])('text is sent as UTF-8: %s', (type) => {
  expect(servedType(type, plain)).toBe('text/plain; charset=utf-8')
})

test.each([
  'text/html',
  'text/html; charset=utf-8',
  'text/html;video/mp4',
  'text/html;text/plain',
  'TEXT/HTML',
  'application/xhtml+xml',
  'image/svg+xml',
  'image/svg+xml; charset=utf-8',
  'application/xml',
  'text/xml',
  'application/rss+xml',
  'text/javascript',
  'application/javascript',
  'application/ecmascript',
  'application/pdf',
  'application/json',
  'text/css',
  'text/vtt',
  'text/plainly',
  'application/epub+zip',
  'application/x-shockwave-flash',
  'multipart/related',
  'image/tiff',
  'image/heic',
  'image/png+xml',
  'font/woff2',
  'audio/',
  'video/svg+xml/x',
  'audio/mpeg\r\nSet-Cookie: a=b',
  'video/mp4; x="\r\n"',
  '',
  'unknown',
])('%j is sent as unknown bytes', (type) => {
  expect(servedType(type, plain)).toBe(octets)
})

test('encrypted files are sent as unknown bytes for any detected type', () => {
  for (const type of ['image/png', 'video/mp4', 'text/plain', 'text/html', '']) {
    expect(servedType(type, { e2ee: true })).toBe(octets)
  }
})

test('no detectable type is sent as a document', () => {
  const served = new Set([...supportedMimeTypes].map((type) => servedType(type, plain)))
  for (const type of served) {
    expect(type).toMatch(
      /^(?:application\/octet-stream|(?:audio|video)\/[\w.+-]+(?:; codecs=opus)?|image\/(?:png|apng|jpeg|gif|webp|avif|bmp|x-icon))$/,
    )
    expect(type).not.toContain('xml')
  }
})

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

test('every type results in one line of the allow-list', () => {
  const typeLike = fc
    .tuple(
      fc.constantFrom('audio', 'video', 'image', 'text', 'application'),
      fc.string({ unit: character, maxLength: 12 }),
    )
    .map(([top, sub]) => `${top}/${sub}`)
  fc.assert(
    fc.property(fc.oneof(typeLike, fc.string({ unit: character, maxLength: 12 })), (type) => {
      expect(servedType(type, plain)).toMatch(
        /^(?:(?:audio|video|image)\/[a-z0-9.+-]+(?:; ?codecs=[a-z0-9.]+)?|application\/octet-stream|text\/plain; charset=utf-8)$/,
      )
    }),
  )
})
