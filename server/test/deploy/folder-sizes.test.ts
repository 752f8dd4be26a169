import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'

const script = resolve(import.meta.dirname, '../../../scripts/folder-sizes.ts')

/**
 * Runs the check in a repository.
 * @returns what it writes, and its exit code
 */
async function checkSizes(files: readonly string[], content = '') {
  const folder = await temporaryDirectory()
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  for (const file of files) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' })
  return { output: stdout + stderr, code: status }
}

const filesOf = (folder: string, count: number, ending = 'ts') =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${String(index)}.${ending}`)

test('a folder with more than 15 files is reported', async () => {
  const { output, code } = await checkSizes([...filesOf('server/src/qr', 16), ...filesOf('server/src/io', 2)])
  expect(output).toBe(
    'server/src/qr: 16 files, at most 15: move those of one subject into a folder that names it\n',
  )
  expect(code).toBe(1)
})

test('tests, and files of folders inside of a folder, do not count', async () => {
  expect(
    await checkSizes([
      ...filesOf('server/src/qr', 15),
      ...filesOf('server/src/qr', 15, 'test.ts'),
      ...filesOf('server/src/qr/inside', 15),
    ]),
  ).toEqual({ output: '', code: 0 })
})

test('a source file with more than 300 lines is reported, also a test', async () => {
  const files = ['cli/src/long.test.ts', 'README.md']
  expect(await checkSizes(files, '\n'.repeat(301))).toEqual({
    output: 'cli/src/long.test.ts: 301 lines, at most 300: split it by subject\n',
    code: 1,
  })
  expect(await checkSizes(files, '\n'.repeat(300))).toEqual({ output: '', code: 0 })
})

test('migrations and languages are any number', async () => {
  expect(
    await checkSizes([
      ...filesOf('server/src/metadata/migrations', 40),
      ...filesOf('webapp/src/locales', 40, 'json'),
      ...filesOf('webapp/src/locales/viewers', 40, 'json'),
    ]),
  ).toEqual({ output: '', code: 0 })
})
