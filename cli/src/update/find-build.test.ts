import { expect, test } from 'vitest'
import { findBuild } from './find-build.ts'

const build = (os: string, arch: string, name = 'svc') => ({
  name,
  os,
  arch,
  path: '',
  size: 1,
  sha256: '',
  md5: '',
})
const builds = [
  build('any', 'shell', 'svc.sh'),
  build('any', 'node'),
  build('linux', 'x64'),
  build('windows', 'amd64'),
  build('darwin', 'arm64'),
]

test.each([
  ['bundle', 'linux', 'x64', 'any node'],
  ['executable', 'linux', 'x64', 'linux x64'],
  ['executable', 'win32', 'x64', 'windows amd64'],
  ['executable', 'darwin', 'arm64', 'darwin arm64'],
  ['executable', 'linux', 'arm64', undefined],
] as const)('the %s on %s %s becomes %s', (kind, platform, arch, found) => {
  const build = findBuild(builds, { kind, path: '' }, { platform, arch })
  expect(build && `${build.os} ${build.arch}`).toBe(found)
})
