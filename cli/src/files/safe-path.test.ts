import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { distinctPaths, pathsWithIDs, safeFolder, safePath } from './safe-path.ts'

describe('a name from a server', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['photos/2026/a b.jpg', 'photos/2026/a b.jpg'],
    ['../../etc/passwd', '__/__/etc/passwd'],
    ['/etc/passwd', 'etc/passwd'],
    ['..', '__'],
    ['.', '_'],
    ['', '_'],
    ['a/./b//c', 'a/b/c'],
    ['..\\..\\windows', '.._.._windows'],
    ['C:\\autoexec.bat', 'C__autoexec.bat'],
    ['\x1b[2Jx\u202etxt.exe', '_[2Jx_txt.exe'],
    ['.bashrc', '.bashrc'],
  ])('%j becomes %s', (name, path) => {
    expect(safePath(name, 'linux').join('/')).toBe(path)
  })

  test.each([
    ['con', '_con'],
    ['NUL.txt', '_NUL.txt'],
    ['a:b', 'a_b'],
    ['x. .', 'x___'],
    ['what?', 'what_'],
  ])('%j becomes %s on Windows', (name, path) => {
    expect(safePath(name, 'win32').join('/')).toBe(path)
  })

  test('keeps its extension when it is truncated', () => {
    const [name = ''] = safePath(`${'ä'.repeat(600)}.tar`, 'linux')
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(200)
    expect(name).toMatch(/^ä+\.tar$/)
  })

  test('stays below the folder on every system', () => {
    const segment = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'C:',
      'con',
      '\0',
      '\x1b',
      'a',
      ' ',
      '\u202e',
      '%2e',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(segment, fc.string({ unit: 'binary' }))), (segments) => {
        const name = segments.join('')
        const here = posix.resolve('/data', ...safePath(name, 'linux'))
        expect(here.startsWith('/data/')).toBe(true)
        const there = win32.resolve('D:\\data', ...safePath(name, 'win32'))
        expect(there.startsWith('D:\\data\\')).toBe(true)
      }),
    )
  })
})

describe('a folder for a name and an id', () => {
  const id = '0123456789ABCDef'

  test.each([
    ['Ada', `Ada ${id}`],
    ['a/../b', `a_.._b ${id}`],
    [undefined, id],
  ])('of %j is %s', (name, folder) => {
    expect(safeFolder(name, id, 'linux')).toBe(folder)
  })

  test('ends in the whole id, and cuts no character', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'é', '雪', '🦉', '.', '/', '\0'), maxLength: 300 })
    fc.assert(
      fc.property(
        fc.constantFrom('', 'NUL.'),
        name,
        fc.constantFrom('linux', 'win32'),
        (start, rest, platform) => {
          const folder = safeFolder(start + rest, id, platform)
          expect(folder.endsWith(` ${id}`)).toBe(true)
          expect(Buffer.byteLength(folder)).toBeLessThanOrEqual(200)
          expect(folder.isWellFormed()).toBe(true)
        },
      ),
    )
    expect(safeFolder('雪'.repeat(100), id, 'linux')).toBe(`${'雪'.repeat(60)} ${id}`)
  })
})

test('files with equal names get distinct paths, also where names differ only in case or accents', () => {
  const paths = ['a.txt', 'A.TXT', 'a.txt', 'e\u0301', 'é', 'dir/x', 'dir', 'a (2).txt', '.rc', '.rc']
  expect(distinctPaths(paths.map((path) => path.split('/')))).toEqual([
    'a.txt',
    'A (2).TXT',
    'a (3).txt',
    'e\u0301',
    'é (2)',
    'dir/x',
    'dir (2)',
    'a (2) (2).txt',
    '.rc',
    '.rc (2)',
  ])
})

test('files whose name another one has get their id, in any order', () => {
  const files = ['a.txt', 'A.TXT', 'b', 'b/c', 'd.txt', 'd (0123456789abcdef).txt'].map((name, index) => ({
    id: `id${String(index)}`,
    segments: name.split('/'),
  }))
  const paths = ['a (id0).txt', 'A (id1).TXT', 'b (id2)', 'b/c', 'd.txt', 'd (0123456789abcdef) (id5).txt']
  expect(pathsWithIDs(files)).toEqual(paths)
  expect(pathsWithIDs(files.toReversed())).toEqual(paths.toReversed())
})

test('the work for equal names and for deep folders grows with their number, not with its square', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  try {
    const equal = Array.from({ length: 2_000 }, () => ['same.txt'])
    expect(new Set(distinctPaths(equal)).size).toBe(equal.length)
    distinctPaths([[...Array.from({ length: 2_000 }, () => 'folder'), 'file']])
    const characters = normalize.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0)
    expect(characters).toBeLessThan(200_000)
  } finally {
    normalize.mockRestore()
  }
})
