import { expect, test } from 'vitest'
import { isGoneUpload, uploadEnd } from './upload-end.ts'

const deleted = {}
const usedUp = { usedUp: true }
const limited = { oneShot: false, stream: false }
const oneShot = { oneShot: true, stream: false }
const stream = { oneShot: false, stream: true }

test.for([
  [limited, [usedUp, deleted], 'usedUp'],
  [limited, [deleted, deleted], 'deleted'],
  [limited, [], 'deleted'],
  [oneShot, [usedUp, deleted], 'taken'],
  [oneShot, [deleted], 'deleted'],
  [stream, [usedUp, deleted], 'taken'],
  [stream, [deleted], 'deleted'],
  [stream, [], 'deleted'],
] as const)('an upload with %j and the files %j is %s', ([upload, files, end]) => {
  expect(uploadEnd(upload, files)).toBe(end)
})

test('an upload is gone when it had files, and none is left', () => {
  const file = { id: '1', fileName: 'a', fileSize: 1, type: '', md5: '' }
  const gone = { ...file, status: 'removed' } as const
  const stored = { ...file, status: 'uploaded' } as const
  expect([[], [gone], [gone, stored]].map((files) => isGoneUpload({ files, stream: false }))).toEqual([
    false,
    true,
    false,
  ])
})
