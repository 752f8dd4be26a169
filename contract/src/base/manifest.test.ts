import { expect, test } from 'vitest'
import { canHaveManifest, servesManifest } from './manifest.ts'
import { manifestName } from './names.ts'

const file = { fileName: 'a', downloadsLeft: 1 }
const manifest = { fileName: manifestName }
const upload = { e2ee: 'age', stream: false, oneShot: false, files: [file, manifest] }

test('all encrypted uploads but streams can have a manifest', () => {
  expect([{}, { stream: false, oneShot: true }, { maxDownloads: 2 }].map(canHaveManifest)).toEqual([
    true,
    true,
    true,
  ])
  expect(canHaveManifest({ stream: true })).toBe(false)
})

test('without a download limit, every server serves it', () => {
  expect(servesManifest({ ...upload, files: [] })).toBe(true)
  expect(servesManifest({ ...upload, stream: true })).toBe(false)
})

test.each([
  ['a server that does not count its downloads', { maxDownloads: 1 }, manifest, true],
  ['an earlier server, which counts them', { maxDownloads: 1 }, { ...manifest, downloadsLeft: 1 }, false],
  ['one without counts', {}, manifest, false],
  ['an upload without a declared manifest', { maxDownloads: 1 }, file, false],
])('with a download limit, of %s', (_name, limit, declared, isServed) => {
  expect(servesManifest({ ...upload, oneShot: true, ...limit, files: [file, declared] })).toBe(isServed)
})
