import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect } from 'vitest'
import { archiveLayout } from '../../src/core/archive/archive-layout.ts'
import { execute, unpackers } from './unpackers.ts'
import { modified, writeArchive, writeLayout, type SourceFile } from './write-archive.ts'
import { testWith } from '../../../scripts/tests/needs.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

let folder: string
let target: string
let archive: string

beforeEach(async () => {
  folder = await temporaryDirectory()
  target = join(folder, 'one', 'two', 'target')
  archive = join(folder, 'archive.zip')
  await mkdir(target, { recursive: true })
})

const withContent = (names: readonly string[]): SourceFile[] =>
  names.map((name, index) => ({ name, content: Buffer.from(`content of file ${String(index)}`) }))

/**
 * Some programs compose letters as they unpack; names differ without them, so the file is still identified.
 */
const composed = (name: string) => name.normalize('NFC')

/** Every file below a folder, by its path. */
async function filesBelow(root: string): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  for (const item of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (item.isDirectory()) continue
    const path = join(item.parentPath, item.name)
    found.set(composed(path.slice(root.length + 1)), await readFile(path))
  }
  return found
}

/** The expected result of unpacking: each file with its content in the target, and nothing outside it. */
async function expectUnpacked(files: readonly SourceFile[], names: readonly string[]): Promise<void> {
  const expected = new Map(
    files.map(({ content }, index) => [composed(names[index] ?? ''), Buffer.from(content)]),
  )
  expect(expected.size).toBe(files.length)
  expect(await filesBelow(target)).toEqual(expected)
  expect(await readdir(folder)).toEqual(['archive.zip', 'one'])
  expect(await readdir(join(folder, 'one'))).toEqual(['two'])
  expect(await readdir(join(folder, 'one', 'two'))).toEqual(['target'])
}

const ordinary = [
  'report.pdf',
  'photos/summer/1.jpg',
  'photos/summer/2.jpg',
  'Grüße 世界 👩‍👩‍👧.txt',
  '.hidden',
  '-rf',
  'a b',
]

const hostile = [
  '../../../escaped',
  '..\\..\\escaped.exe',
  '/etc/passwd',
  '//server/share/x',
  'C:\\Windows\\system32\\x.dll',
  'C:/Windows/x.dll',
  'c:drive-relative',
  'file.txt:stream',
  'a/../../../../b',
  'a/./b/../c',
  './/.',
  '..',
  '...',
  '',
  'con',
  'CON.txt',
  'nul.tar.gz',
  'x. . .',
  'x',
  'X',
  'x/inside',
  'X/Inside',
  'x/inside',
  'e\u0301',
  '\u00e9',
  'line\nbreak',
  'escape\u001b]52;c;x\u0007',
  'nul\u0000byte',
  'gpj.\u202eexe',
  'broken\ud800',
  '*',
  '?',
  '[a-z]',
  '"quoted"',
  '<tag>|pipe',
  '~',
  '$(touch injected)',
  '@file',
  '!list',
  '%2e%2e%2fescaped',
  `${'long'.repeat(250)}.txt`,
  `${'é'.repeat(600)}.tar.gz`,
  `${'😀'.repeat(500)}/${'世'.repeat(500)}.md`,
  Array<string>(500).fill('d').join('/'),
]

/** Any character; the predefined unit takes seconds to set up. */
const character = fc
  .oneof(fc.nat(0x2ff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))

/** The same lists of names in every run, from a fixed seed. */
const generated = fc.sample(
  fc
    .array(
      fc.oneof(
        fc.string({ unit: character, maxLength: 6 }),
        fc.constantFrom(
          'a',
          'A',
          '/',
          '\\',
          '.',
          '..',
          ' ',
          ':',
          'C:',
          'con',
          '?',
          '\n',
          ' (2)',
          '.txt',
          'y'.repeat(254),
        ),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join('')),
  { seed: 20260304, numRuns: 400 },
)

describe.each(unpackers)('$command', ({ command, package: needed, extract, print, check }) => {
  const unpackTest = (title: string, body: () => Promise<void>) => {
    testWith([needed], title, body)
  }

  unpackTest('unpacks an ordinary upload with its names, contents and times', async () => {
    const files = withContent(ordinary)
    expect(await writeArchive(archive, files)).toEqual(ordinary)
    await execute(command, check(archive))
    await execute(command, extract(archive, target))
    await expectUnpacked(files, ordinary)
    // The module of Python restores no times.
    if (command === 'python3') return
    for (const name of ordinary) expect((await stat(join(target, name))).mtimeMs).toBe(modified)
  })

  unpackTest('unpacks hostile names inside the target, and all of them', async () => {
    const files = withContent(hostile)
    const names = await writeArchive(archive, files)
    await execute(command, extract(archive, target))
    await expectUnpacked(files, names)
  })

  unpackTest('unpacks all files with any names, inside the target', async () => {
    const files = withContent(generated)
    const names = await writeArchive(archive, files)
    await execute(command, extract(archive, target))
    await expectUnpacked(files, names)
  })

  unpackTest('reads what lies behind more than 4 GiB', async () => {
    const behind = Buffer.from('behind')
    const layout = archiveLayout([
      { name: 'large', size: 2 ** 32 + 5, crc32: 0, modified },
      { name: 'behind', size: behind.length, crc32: crc32(behind), modified },
    ])
    await writeLayout(archive, layout, (index) => (index === 1 ? behind : undefined))
    expect((await execute(command, print(archive, 'behind'))).toString()).toBe('behind')
  })
})

describe.each([65_535, 65_536])('an archive of %i entries', (count) => {
  let large: string
  const last = String(count - 1)

  beforeAll(async () => {
    large = await temporaryDirectory()
    const names = Array.from({ length: count }, (_, index) => `${String(index)}.txt`)
    await writeArchive(
      join(large, 'archive.zip'),
      names.map((name) => ({ name, content: Buffer.from(name) })),
    )
  })

  describe.each(unpackers)('$command', ({ command, package: needed, check, print }) => {
    testWith([needed], 'is complete, with its last entry', async () => {
      await execute(command, check(join(large, 'archive.zip')))
      const printed = await execute(command, print(join(large, 'archive.zip'), `${last}.txt`))
      expect(printed.toString()).toBe(`${last}.txt`)
    })
  })

  testWith(['python3'], 'has as many names as entries', async () => {
    const script = 'import sys,zipfile; print(len(set(zipfile.ZipFile(sys.argv[1]).namelist())))'
    const counted = await execute('python3', ['-c', script, join(large, 'archive.zip')])
    expect(counted.toString().trim()).toBe(String(count))
  })
})

testWith(['python3'], 'sizes and offsets beyond 4 GiB are read as they were written', async () => {
  const sizes = [2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, 5 * 2 ** 32, 0]
  const layout = archiveLayout(
    sizes.map((size, index) => ({ name: String(index), size, crc32: index, modified })),
  )
  await writeLayout(archive, layout, () => undefined)
  const script = [
    'import sys, json, zipfile',
    'zip = zipfile.ZipFile(sys.argv[1])',
    'first = lambda entry: zip.open(entry).read(4).hex() if entry.file_size else ""',
    'print(json.dumps([[e.filename, e.file_size, e.header_offset, e.CRC, first(e)] for e in zip.infolist()]))',
  ].join('\n')
  const entries: unknown = JSON.parse((await execute('python3', ['-c', script, archive])).toString())
  const header = 30 + 1 + 9
  const large = header + 20
  const places = [header, large, large, large].map((length, index) => length + (sizes[index] ?? 0))
  const offsets = sizes.map((_, index) => places.slice(0, index).reduce((sum, place) => sum + place, 0))
  expect(entries).toEqual(
    sizes.map((size, index) => [String(index), size, offsets[index], index, size > 0 ? '00000000' : '']),
  )
})
