import type { File, Upload } from '@svc/contract'
import { expect, test } from 'vitest'
import { missingNames, receiptLines, receiptText } from './receipt.ts'

const file = (changes: object) =>
  ({
    id: 'f',
    fileName: 'encrypted.age',
    fileSize: 203,
    md5: 'm',
    status: 'uploaded',
    ...changes,
  }) as unknown as File

test('a receipt has the files that have arrived, by the names and sizes that they have here', () => {
  const stored = [file({ reference: '0' }), file({ reference: '1', status: 'missing' })]
  const files = [
    ['0', 'a.txt', 3],
    ['1', 'b.txt', 4],
  ] as const
  expect(receiptLines(stored, { files })).toEqual([{ name: 'a.txt', ownSize: 3, size: 203, md5: 'm' }])
})

test('a file that is not known here has its name and size on the server', () => {
  expect(receiptLines([file({})], { files: [] })).toEqual([
    { name: 'encrypted.age', ownSize: 203, size: 203, md5: 'm' },
  ])
})

test('a name cannot add a line to a receipt', () => {
  const lines = [{ name: 'a\nb', size: 3, md5: 'm' }]
  const text = receiptText('Title\nof two lines', { id: 'u', createdAt: '2026-01-01T00:00:00Z' }, lines)
  expect(text).toBe('# Title of two lines\n# 2026-01-01T00:00:00Z\n# u\nm  a b  3\n')
})

test('files that have not arrived are named as here; those that the recipient has removed have arrived', () => {
  const files = ['missing', 'uploading', 'uploaded', 'removed', 'deleted'].map((status, index) =>
    file({ reference: String(index), status, fileName: `encrypted-${status}` }),
  )
  const upload = { files, stream: false } as unknown as Upload
  expect(missingNames(upload, { files: [['0', 'a.txt', 3]] })).toEqual(['a.txt', 'encrypted-uploading'])
})
