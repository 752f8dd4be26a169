import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { textType } from './text-type.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)
const utf16le = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'))
const utf16be = (text: string) => new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
const complete = { complete: true }
const cut = { complete: false }

describe('plain text', () => {
  test.each([
    '',
    'hello\n',
    '\ufeffwith a byte order mark',
    'Grüße, 世界, 👋🏽',
    'tabs\tand\r\nbreaks\fand \u001b[31mcolours\u001b[0m',
    '{"json": true}',
    'a < b && c > d',
    '<3 you',
    '<foo> is a placeholder',
    '<https://example.org> is a link',
    '<a.b@example.org>',
    '<a@example.org>',
    '<p, q>',
    '# Title\n\n<script>late</script>',
    '<!-- a note -->\n# Title',
    '<?php echo "no end";',
    '<',
    '<!',
    '<!doctype',
    'console.log("script")',
  ])('is %j', (text) => {
    expect(textType(utf8(text), complete)).toBe('text/plain')
    expect(textType(utf8(text), cut)).toBe('text/plain')
  })

  it('may be UTF-16 with a byte order mark', () => {
    for (const text of ['', 'hello\r\n', 'Grüße 世界 👋']) {
      expect(textType(utf16le(text), complete)).toBe('text/plain')
      expect(textType(utf16be(text), complete)).toBe('text/plain')
    }
  })

  it('may be cut within a character, but only where bytes are missing', () => {
    for (const character of ['é', '世', '👋']) {
      const bytes = utf8(`abc${character}`)
      for (let missing = 1; missing < utf8(character).length; missing++) {
        const head = bytes.subarray(0, -missing)
        expect(textType(head, cut)).toBe('text/plain')
        expect(textType(head, complete)).toBeNull()
      }
    }
    for (const bytes of [utf16le('a👋'), utf16be('a👋')]) {
      for (let missing = 1; missing < 4; missing++) {
        const head = bytes.subarray(0, -missing)
        expect(textType(head, cut)).toBe('text/plain')
        expect(textType(head, complete)).toBeNull()
      }
    }
  })
})

describe('bytes that are not text', () => {
  test.each([
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['a lone continuation', [0x61, 0x80, 0x61]],
    ['Latin-1', [...Buffer.from('caf\u00e9 cr\u00e8me', 'latin1')]],
    ['UTF-16 without a mark', [...Buffer.from('hello', 'utf16le')]],
    ['UTF-32 with a mark', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
    ['a lone surrogate in UTF-16', [0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00]],
    ['a mark before binary', [0xff, 0xfe, 0x01, 0x00, 0x02, 0x00]],
  ])('%s', (_, bytes) => {
    expect(textType(Uint8Array.from(bytes), complete)).toBeNull()
    expect(textType(Uint8Array.from(bytes), cut)).toBeNull()
  })

  it('have binary control characters; text has the others', () => {
    const textual = new Set([0x09, 0x0a, 0x0c, 0x0d, 0x1b])
    for (let code = 0; code < 0x21; code++) {
      const type = code >= 0x20 || textual.has(code) ? 'text/plain' : null
      expect(textType(Uint8Array.of(0x61, code, 0x62), complete)).toBe(type)
      expect(textType(utf16le(`a${String.fromCharCode(code)}b`), complete)).toBe(type)
    }
  })
})

describe('markup', () => {
  test.each([
    '<!DOCTYPE html><title>x</title>',
    '<!doctype   HTML >',
    '<html>',
    '\n\t <HTML lang="en">',
    '\ufeff<html>',
    '<head>',
    '<body onload=x>',
    '<ScRiPt>alert(1)</script>',
    '<script',
    '<iframe/src=x>',
    '<h1>x',
    '<p>x',
    '<b\n>',
    '<br/>',
    '<meta charset=utf-8>',
    '<!-- x --><html>',
    '<!-- x --> <!-- y -->\n<body>',
    '<!-- never closed <html>',
    '<?php echo 1 ?><html>',
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "x" "y"><html xmlns="http://www.w3.org/1999/xhtml">',
    '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">',
    '<h:html xmlns:h="http://www.w3.org/1999/xhtml"><h:script>1</h:script></h:html>',
  ])('is a page: %j', (text) => {
    expect(textType(utf8(text), complete)).toBe('text/html')
  })

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<svg>',
    ' <SVG onload=x>',
    '\ufeff<?xml version="1.0"?>\n<svg>',
    '<?xml version="1.0"?><!-- made by hand --><?style x?><svg:svg xmlns:svg="http://www.w3.org/2000/svg">',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY a "b>"> ]><svg>',
    '<!-- x --><svg>',
  ])('is a picture with scripts: %j', (text) => {
    expect(textType(utf8(text), complete)).toBe('image/svg+xml')
  })

  test.each([
    '<?xml version="1.0"?><rss/>',
    '<?xml version="1.0" encoding="utf-8"?>\n<!-- c -->\n<feed xmlns="http://www.w3.org/2005/Atom">',
    '<?XML version="1.0"?>',
    '<?xml version="1.0"?><!-- never closed',
    '<?xml version="1.0"',
    '<?xml version="1.0"?><!DOCTYPE note [<!ENTITY x "y">]><note/>',
    '<!DOCTYPE plist PUBLIC "x" "y"><plist/>',
    '<x:note xmlns:x="urn:x">',
    '<note xmlns = "urn:x">',
  ])('is XML: %j', (text) => {
    expect(textType(utf8(text), complete)).toBe('application/xml')
  })

  it('is found in UTF-16, too, because browsers decode it', () => {
    expect(textType(utf16le('<html>'), complete)).toBe('text/html')
    expect(textType(utf16be('<svg>'), complete)).toBe('image/svg+xml')
  })

  it('is never found in longer names', () => {
    for (const text of ['<scripture>', '<h10>', '<paragraph>', '<bold>', '<svgs>', '<html-like>']) {
      expect(textType(utf8(text), complete)).toBe('text/plain')
    }
  })
})

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

test('valid text is text, wherever it is cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 60 }), fc.nat(), (text, at) => {
      const bytes = utf8(text.toWellFormed().replace(/[\p{Cc}\ufeff]/gu, ' '))
      expect(textType(bytes, complete)).not.toBeNull()
      expect(textType(bytes.subarray(0, at % (bytes.length + 1)), cut)).not.toBeNull()
    }),
  )
})

test('any bytes get one of five results', () => {
  const results = [null, 'text/plain', 'text/html', 'image/svg+xml', 'application/xml']
  const fragments = fc
    .array(
      fc.constantFrom(
        '<',
        '!',
        '--',
        '>',
        '<?',
        '?>',
        'xml',
        ' ',
        'svg',
        'html',
        ':',
        '<!doctype ',
        'x',
        '\0',
      ),
      {
        maxLength: 30,
      },
    )
    .map((parts) => utf8(parts.join('')))
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 64 }), fragments), fc.boolean(), (head, all) => {
      expect(results).toContain(textType(head, { complete: all }))
    }),
    { numRuns: 500 },
  )
})

test('long markup without an end costs no more than its length', () => {
  const nested = utf8('<!--' + ' <!--'.repeat(20_000))
  const spaces = utf8(' '.repeat(100_000) + '<')
  expect(textType(nested, cut)).toBe('text/html')
  expect(textType(spaces, cut)).toBe('text/plain')
})

test.each([
  [0xff, 0x41],
  [0x41, 0xfe],
  [0xfe, 0x41],
  [0x41, 0xff],
])('half of a byte order mark does not make text: %i, %i', (first, second) => {
  expect(textType(Uint8Array.of(first, second), complete)).toBeNull()
})
