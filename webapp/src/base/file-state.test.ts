import { fileStatuses } from '@svc/contract'
import { expect, test } from 'vitest'
import { availability } from './file-state.ts'

test('stored files can be downloaded once they are uploaded, files of a stream while they are sent', () => {
  const table = Object.fromEntries(
    fileStatuses.map((status) => [
      status,
      [availability({ status }, { stream: false }), availability({ status }, { stream: true })],
    ]),
  )
  expect(table).toEqual({
    missing: ['coming', 'coming'],
    uploading: ['coming', 'ready'],
    uploaded: ['ready', 'ready'],
    removed: ['gone', 'gone'],
    deleted: ['gone', 'gone'],
  })
})
