import { expect, test } from 'vitest'
import { encryptedSize } from './encrypted-size.ts'
import { shownSize } from './shown-size.ts'

const encrypted = { e2ee: 'age' }

test.for([0, 3, 65_536, 65_537, 5_000_000])('a file of %d bytes is shown with its size', (size) => {
  expect(shownSize(encrypted, { fileSize: encryptedSize(size) })).toBe(size)
})

test.for([0, 3, 100])('%d bytes, which no encrypted file has, are shown as they are', (fileSize) => {
  expect(shownSize(encrypted, { fileSize })).toBe(fileSize)
})

test('the sizes of other uploads, and of those that a request has received, are shown as they are', () => {
  expect(shownSize({ e2ee: '' }, { fileSize: 500 })).toBe(500)
  expect(shownSize({ e2ee: 'other' }, { fileSize: 500 })).toBe(500)
  expect(shownSize({ ...encrypted, request: 'r' }, { fileSize: 500 })).toBe(500)
})
