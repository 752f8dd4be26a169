import fc from 'fast-check'
import { describe, expect, it, test, vi } from 'vitest'
import { archiveNames, archiveNameSteps } from './archive-names.ts'
import { utf8Length } from './utf8-length.ts'

const nameOf = (name: string) => archiveNames([name])[0]
const bytes = (text: string) => Buffer.byteLength(text)

test.each([
  '',
  'a',
  '\u007f\u0080',
  '\u07ff\u0800',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}x',
  '\ud800',
  '\udc00\ud800a',
])('the UTF-8 length of %j is counted in bytes', (text) => {
  expect(utf8Length(text)).toBe(bytes(text))
})

describe('a harmless name', () => {
  test.each([
    'report.pdf',
    'folder/sub folder/x.txt',
    '.hidden',
    '..twice.txt',
    'a..b',
    ' leading space',
    'space before .txt',
    '-rf',
    '~root',
    '$HOME',
    '%2e%2e%2f',
    "it's; & (fine)!",
    'Grüße 世界 👩‍👩‍👧.txt',
    'e\u0301.txt',
    'console.txt',
    'com10.txt',
    'null',
    'a.con',
  ])('does not change: %j', (name) => {
    expect(nameOf(name)).toBe(name)
  })
})

describe('a hostile name', () => {
  test.each([
    ['/etc/passwd', 'etc/passwd'],
    ['//server/share/x', 'server/share/x'],
    ['../../x', 'x'],
    ['a/../../b/./c', 'a/b/c'],
    ['a//b/', 'a/b'],
    ['..', 'file'],
    ['.', 'file'],
    ['', 'file'],
    ['/', 'file'],
    ['C:', 'file'],
    ['C:/Windows/x.dll', 'Windows/x.dll'],
    ['c:x', 'x'],
    ['C:D:x', 'D_x'],
    ['C:\\Windows\\x.dll', '_Windows_x.dll'],
    ['..\\..\\x', '.._.._x'],
    ['\\\\server\\share', '__server_share'],
    ['a\\b', 'a_b'],
    ['file.txt:stream', 'file.txt_stream'],
    ['a/C:/b', 'a/C_/b'],
    ['what?*<>|"', 'what______'],
    ['a\u0000b\nc\u001b[31m\u007f\u0085', 'a_b_c_[31m__'],
    ['gpj.\u202eexe', 'gpj._exe'],
    ['a\ud800b', 'a\ufffdb'],
    ['x.', 'x_'],
    ['x. . .', 'x_'],
    ['x ', 'x_'],
    ['...', '_'],
    ['.. ', '_'],
    ['a/.../b', 'a/_/b'],
    ['a./b', 'a_/b'],
    ['con', '_con'],
    ['CON.txt', '_CON.txt'],
    ['nul.tar.gz', '_nul.tar.gz'],
    ['Aux .txt', '_Aux .txt'],
    ['lpt1/com¹', '_lpt1/_com¹'],
    ['CONIN$', '_CONIN$'],
    ['com0', '_com0'],
    ['nul:', 'nul_'],
    ['con ', 'con_'],
    [' con', '_ con'],
  ])('%j becomes %j', (name, expected) => {
    expect(nameOf(name)).toBe(expected)
  })
})

describe('a long name', () => {
  it('has segments of at most 255 bytes and keeps its extension', () => {
    expect(nameOf('a'.repeat(255))).toBe('a'.repeat(255))
    expect(nameOf('a'.repeat(256))).toBe('a'.repeat(255))
    expect(nameOf(`${'a'.repeat(251)}.txt`)).toBe(`${'a'.repeat(251)}.txt`)
    expect(nameOf(`${'a'.repeat(252)}.txt`)).toBe(`${'a'.repeat(251)}.txt`)
    expect(nameOf(`${'a'.repeat(1000)}.tar.gz`)).toBe(`${'a'.repeat(248)}.tar.gz`)
    expect(nameOf(`${'f'.repeat(300)}/${'x'.repeat(300)}.md`)).toBe(
      `${'f'.repeat(255)}/${'x'.repeat(252)}.md`,
    )
  })

  it('is truncated between characters', () => {
    expect(nameOf('é'.repeat(200))).toBe('é'.repeat(127))
    expect(nameOf(`${'😀'.repeat(100)}.png`)).toBe(`${'😀'.repeat(62)}.png`)
  })

  it('does not end with a space where it is cut', () => {
    expect(nameOf(`${'a'.repeat(250)}      ${'b'.repeat(20)}`)).toBe(`${'a'.repeat(250)}_`)
  })

  it('does not keep a suffix that is too long for an extension', () => {
    expect(nameOf(`a.${'b'.repeat(300)}`)).toBe(`a.${'b'.repeat(253)}`)
  })

  it('loses inner folders when its path is too long to unpack', () => {
    const deep = ['outer', ...Array<string>(50).fill('世'.repeat(80)), 'x.txt'].join('/')
    const path = nameOf(deep) ?? ''
    expect(bytes(path)).toBeLessThanOrEqual(2048)
    expect(bytes(path)).toBeGreaterThan(2048 - 255)
    expect(path).toMatch(/^outer\/.*\/x\.txt$/)
  })
})

describe('equal names', () => {
  it('get numbers before the extension', () => {
    expect(archiveNames(['a.txt', 'a.txt', 'b', 'a.txt', 'b'])).toEqual([
      'a.txt',
      'a (2).txt',
      'b',
      'a (3).txt',
      'b (2)',
    ])
    expect(archiveNames(['x.tar.gz', 'x.tar.gz'])).toEqual(['x.tar.gz', 'x (2).tar.gz'])
    expect(archiveNames(['.env', '.env'])).toEqual(['.env', '.env (2)'])
    expect(archiveNames(['d.d/a', 'd.d/a'])).toEqual(['d.d/a', 'd.d/a (2)'])
  })

  it('do not take numbered names of other files', () => {
    expect(archiveNames(['a.txt', 'a.txt', 'a (2).txt'])).toEqual(['a.txt', 'a (3).txt', 'a (2).txt'])
  })

  it('are equal in any case and any composition', () => {
    expect(archiveNames(['A.txt', 'a.TXT'])).toEqual(['A.txt', 'a (2).TXT'])
    expect(archiveNames(['\u00e9', 'e\u0301', '\u00c9'])).toEqual(['\u00e9', 'e\u0301 (2)', '\u00c9 (3)'])
    expect(archiveNames(['stra\u00dfe', 'STRASSE', 'STRA\u1e9eE'])).toEqual([
      'stra\u00dfe',
      'STRASSE (2)',
      'STRA\u1e9eE (3)',
    ])
    // In upper case, an iota subscript becomes a separate letter, so the marks must be put in order first.
    const [one, other] = ['\u03b1\u0345\u0301', '\u03b1\u0301\u0345'] as const
    expect(archiveNames([one, other])).toEqual([one, `${other} (2)`])
    expect(archiveNames(['D/a', 'd/A'])).toEqual(['D/a', 'd/A (2)'])
  })

  it('include names that became equal', () => {
    expect(archiveNames(['a_b', 'a\\b', 'a?b', '/a_b'])).toEqual(['a_b', 'a_b (2)', 'a_b (3)', 'a_b (4)'])
  })

  it('stay within the length limit with their numbers', () => {
    const long = `${'é'.repeat(200)}.txt`
    const [, second = ''] = archiveNames([long, long])
    // There is room for larger numbers.
    expect(second).toBe(`${'é'.repeat(121)} (2).txt`)
    expect(bytes(second)).toBeLessThanOrEqual(255)
  })
})

test('long names that differ only where they are truncated are not tried again for each file', () => {
  const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const ends = letters.flatMap((first) => letters.map((second) => first + second))
  const names = ends.flatMap((end) => [`${'x'.repeat(253)}${end}`, `${'x'.repeat(253)}${end}`])
  const normalized = vi.spyOn(String.prototype, 'normalize')
  const paths = archiveNames(names)
  expect(normalized.mock.calls.length).toBeLessThan(10 * names.length)
  normalized.mockRestore()
  expect(new Set(paths).size).toBe(names.length)
  expect(paths[1]).toBe(`${'x'.repeat(246)} (2)`)
  expect(paths.at(-1)).toBe(`${'x'.repeat(246)} (65)`)
})

test('names are planned in steps, after which the result is the same', () => {
  const names = Array.from({ length: 60 }, (_none, index) => `name ${String(index % 20)}`)
  const steps = archiveNameSteps(names)
  let pauses = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) pauses += 1
  expect(step.value).toEqual(archiveNames(names))
  expect(pauses).toBe(4)
})

describe('a file with the name of a folder', () => {
  it('gets the number, at any position in the list', () => {
    expect(archiveNames(['a', 'a/b'])).toEqual(['a (2)', 'a/b'])
    expect(archiveNames(['a/b', 'a'])).toEqual(['a/b', 'a (2)'])
    expect(archiveNames(['A/B/c', 'a', 'a/b'])).toEqual(['A/B/c', 'a (2)', 'a/b (2)'])
    expect(archiveNames(['a', 'a (2)/x', 'a/b'])).toEqual(['a (3)', 'a (2)/x', 'a/b'])
  })
})

/** The path as Windows compares it: without dots and spaces at the end of names, in upper case. */
function windowsPath(path: string): string {
  expect(path).not.toMatch(/[\\:*?"<>|]|\p{Cc}/u)
  const segments = path.split('/').map((segment) => segment.replace(/[. ]+$/, ''))
  for (const segment of segments) {
    expect(segment).not.toBe('')
    expect(segment.split('.')[0]?.trim()).not.toMatch(
      /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)$/i,
    )
  }
  return segments.join('/').toUpperCase()
}

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

const hostileName = fc.oneof(
  fc.string({ unit: character, maxLength: 20 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'A',
        'é',
        'e\u0301',
        '/',
        '\\',
        '.',
        '..',
        ' ',
        ':',
        'C:',
        'con',
        'NUL',
        '?',
        '\n',
        ' (2)',
        '.txt',
        'x'.repeat(254),
      ),
      { maxLength: 6 },
    )
    .map((parts) => parts.join('')),
)

test('every list of names becomes distinct paths inside the target, on Linux, macOS and Windows', () => {
  fc.assert(
    fc.property(fc.array(hostileName, { maxLength: 30 }), (names) => {
      const paths = archiveNames(names)
      expect(paths).toHaveLength(names.length)
      for (const path of paths) {
        expect(bytes(path)).toBeLessThanOrEqual(65_535)
        for (const segment of path.split('/')) {
          expect(['', '.', '..']).not.toContain(segment)
          expect(bytes(segment)).toBeLessThanOrEqual(255)
        }
      }
      for (const system of [windowsPath, (path: string) => path.normalize('NFD').toLowerCase()]) {
        const files = paths.map(system)
        expect(new Set(files).size).toBe(files.length)
        for (const file of files) expect(files.filter((other) => other.startsWith(`${file}/`))).toEqual([])
      }
      expect(archiveNames(names)).toEqual(paths)
    }),
    { numRuns: 200 },
  )
})

test('safe names do not change when they are made safe again', () => {
  fc.assert(
    fc.property(fc.array(hostileName, { maxLength: 10 }), (names) => {
      const paths = archiveNames(names)
      expect(archiveNames(paths)).toEqual(paths)
    }),
  )
})

test('a path keeps its outer 32 folders', () => {
  const folders = Array.from({ length: 500 }, (_, index) => String(index))
  const names = archiveNames([[...folders, 'file'].join('/'), [...folders.slice(0, 32), 'other'].join('/')])
  const kept = folders.slice(0, 32).join('/')
  expect(names).toEqual([`${kept}/file`, `${kept}/other`])
})

test('a hundred thousand equal names are numbered in one pass', () => {
  const paths = archiveNames(Array<string>(100_000).fill('a.txt'))
  expect(paths.at(-1)).toBe('a (100000).txt')
  expect(new Set(paths).size).toBe(100_000)
})
