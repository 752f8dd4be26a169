import { manifestName, type File } from '@svc/contract'
import { expect, test } from 'vitest'
import { withoutManifest } from './without-manifest.ts'

const files = ['a', manifestName, `folder/${manifestName}`].map((fileName) => ({ fileName })) as File[]

test('the manifest of an encrypted upload is left out', () => {
  expect(withoutManifest({ e2ee: 'age', files })).toEqual([files[0], files[2]])
})

test('a plain upload may have a file with its name', () => {
  expect(withoutManifest({ e2ee: '', files })).toEqual(files)
})
