import { expect, test } from 'vitest'
import {
  requirements,
  sortByPlatform,
  matchesPlatform,
  platformName,
  detectPlatform,
  type ClientBuild,
} from './platform.ts'

const build = (os: string, arch: string): ClientBuild => ({
  name: 'svc',
  os,
  arch,
  path: `/clients/${os}-${arch}/svc`,
  size: 1,
  sha256: '',
  md5: '',
})

test.for([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'linux', 'amd64'],
  ['Mozilla/5.0 (X11; Linux aarch64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36', 'linux', 'arm64'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36', 'windows', 'amd64'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15', 'darwin', ''],
  ['Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36', '', ''],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', '', ''],
  ['', '', ''],
] as const)('%s is %s %s', ([userAgent, os, arch]) => {
  expect(detectPlatform(userAgent)).toEqual({ os, arch })
})

const builds = [
  build('darwin', 'arm64'),
  build('linux', 'arm64'),
  build('linux', 'x64'),
  build('windows', 'amd64'),
]
const order = (os: 'linux' | 'darwin' | 'windows' | '', arch: 'amd64' | 'arm64' | '') =>
  sortByPlatform(builds, { os, arch }).map((platform) => `${platform.os}-${platform.arch}`)

test('programs for the present system are listed first', () => {
  expect(order('linux', 'amd64')).toEqual(['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-amd64'])
  expect(order('windows', 'amd64')[0]).toBe('windows-amd64')
  expect(order('darwin', '')[0]).toBe('darwin-arm64')
})

test('on an unknown system, programs keep the order of the server', () => {
  expect(order('', '')).toEqual(['darwin-arm64', 'linux-arm64', 'linux-x64', 'windows-amd64'])
  expect(matchesPlatform(build('', ''), { os: '', arch: '' })).toBe(false)
})

test('systems have their usual names', () => {
  expect([build('darwin', 'arm64'), build('plan9', 'x64'), build('', '')].map(platformName)).toEqual([
    'macOS arm64',
    'plan9 x64',
    '',
  ])
})

test('a portable program names its requirements instead of a system', () => {
  const anywhere = [build('any', 'node'), build('any', 'shell'), build('any', 'python')]
  expect(anywhere.map(platformName)).toEqual(['', '', ''])
  expect([...anywhere, build('linux', 'x64')].map(requirements)).toEqual([
    'Node.js',
    'sh, curl',
    'python',
    '',
  ])
})
