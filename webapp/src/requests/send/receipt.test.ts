import type { Upload } from '@svc/contract'
import type { Transfer } from '@svc/sdk'
import { expect, test } from 'vitest'
import { receiptLines, receiptText } from './receipt.ts'

const file = (changes: object) => ({
  id: 'f',
  fileName: 'sealed.age',
  fileSize: 3,
  md5: 'm',
  status: 'uploaded',
  ...changes,
})

test('a receipt has the files that have arrived, by the names that they have here', () => {
  const upload = {
    files: [file({ reference: '0' }), file({ reference: '1', status: 'missing' })],
  } as unknown as Upload
  const transfers = [
    { key: '0', name: 'a.txt' },
    { key: '1', name: 'b.txt' },
  ] as unknown as Transfer[]
  expect(receiptLines(upload, transfers)).toEqual([{ name: 'a.txt', size: 3, md5: 'm' }])
})

test('a name cannot add a line to a receipt', () => {
  const lines = [{ name: 'a\nb', size: 3, md5: 'm' }]
  const text = receiptText('Title\nof two lines', { id: 'u', createdAt: '2026-01-01T00:00:00Z' }, lines)
  expect(text).toBe('# Title of two lines\n# 2026-01-01T00:00:00Z\n# u\nm  a b  3\n')
})
