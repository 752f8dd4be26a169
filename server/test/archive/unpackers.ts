import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Package } from '../../../scripts/tests/programs.ts'
import { mebibyte } from '../../src/domain/sizes.ts'

const run = promisify(execFile)

/** A program that unpacks archives. */
export interface Unpacker {
  readonly command: string
  /** The Debian package that contains it. */
  readonly package: Package
  readonly extract: (archive: string, into: string) => readonly string[]
  readonly print: (archive: string, name: string) => readonly string[]
  /** Reads every entry and compares its checksum; fails when one is wrong. */
  readonly check: (archive: string) => readonly string[]
}

const readEntry =
  'import sys,zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))'
const readAll = 'import sys,zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip())'

export const unpackers: readonly Unpacker[] = [
  {
    command: 'unzip',
    package: 'unzip',
    extract: (archive, into) => ['-q', archive, '-d', into],
    print: (archive, name) => ['-p', archive, name],
    check: (archive) => ['-tqq', archive],
  },
  {
    command: 'bsdtar',
    package: 'libarchive-tools',
    extract: (archive, into) => ['-xf', archive, '-C', into],
    print: (archive, name) => ['-xOf', archive, name],
    check: (archive) => ['-xOf', archive],
  },
  {
    command: '7z',
    package: 'p7zip-full',
    extract: (archive, into) => ['x', '-y', `-o${into}`, archive],
    print: (archive, name) => ['e', '-so', archive, name],
    check: (archive) => ['t', archive],
  },
  {
    command: 'python3',
    package: 'python3',
    extract: (archive, into) => ['-m', 'zipfile', '-e', archive, into],
    print: (archive, name) => ['-c', readEntry, archive, name],
    check: (archive) => ['-c', readAll, archive],
  },
]

/**
 * Runs a program in a UTF-8 locale.
 * @throws if it reports an error or a warning
 */
export async function execute(command: string, parameters: readonly string[]): Promise<Buffer> {
  const { stdout } = await run(command, [...parameters], {
    encoding: 'buffer',
    maxBuffer: 64 * mebibyte,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  })
  return stdout
}
