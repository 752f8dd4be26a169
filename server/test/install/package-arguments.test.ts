import { expect, test } from 'vitest'
import { packageArguments } from '../../../scripts/package/arguments.ts'

const parse = (...args: readonly string[]) => packageArguments(args, 'linux')

test('names of systems and of executables are checked before anything is packaged', () => {
  expect(() => parse('--executable', 'linux-x64', '--executable', 'linux-x86')).toThrow(
    /there is no target linux-x86; there are .*linux-x64/,
  )
  expect(() => parse('--executable', 'darwin-arm64')).toThrow(/has to be signed: make it on a Mac/)
  expect(() => parse('--system', 'foo')).toThrow(/there is no system foo; there are .*linux-arm64/)
  expect(() => parse('--sytem', 'linux-x64')).toThrow(/'--sytem'/)
  expect(() => parse('one', 'two')).toThrow('there is one FOLDER, not 2')
})

test('arguments of npm run package', () => {
  expect(parse('--system', 'linux-arm64', '--executable', 'windows-x64')).toEqual({
    folder: undefined,
    systems: ['linux-arm64'],
    executables: ['windows-x64'],
  })
  expect(parse('folder')).toMatchObject({ folder: 'folder' })
  expect(parse('--help')).toBe('help')
})
