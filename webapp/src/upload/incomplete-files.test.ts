import type { File as StoredFile } from '@svc/contract'
import { expect, test } from 'vitest'
import { chosenAgain, interruptedFiles } from './incomplete-files.ts'

const stored = (
  fileName: string,
  status: StoredFile['status'],
  more: Partial<StoredFile> = {},
): StoredFile => ({
  id: fileName,
  fileName,
  fileSize: 5,
  type: '',
  md5: '',
  status,
  ...more,
})
const picked = (name: string, content = 'hello', lastModified = 1) => ({
  name,
  blob: new File([content], name, { lastModified }),
})
const sentSize = (bytes: number) => bytes

test('files are interrupted when no file of the upload is being sent', () => {
  const files = [
    stored('a', 'uploaded'),
    stored('b', 'uploading', { interrupted: true }),
    stored('c', 'missing'),
  ]
  expect(interruptedFiles({ files, stream: false }).map(({ id }) => id)).toEqual(['b', 'c'])
  expect(interruptedFiles({ files: [...files, stored('d', 'uploading')], stream: false })).toEqual([])
  expect(interruptedFiles({ files, stream: true })).toEqual([])
})

test('a file that is chosen again is found by its name and size, also without its folders', () => {
  const incomplete = [stored('photos/a.jpg', 'missing'), stored('b.txt', 'missing')]
  const found = chosenAgain([picked('a.jpg'), picked('b.txt', 'longer'), picked('c.txt')], {
    incomplete,
    remembered: [],
    sentSize,
  })
  expect(found.map(({ file, changed }) => [file.id, changed])).toEqual([['photos/a.jpg', false]])
})

test('one incomplete file takes one chosen file', () => {
  const again = chosenAgain([picked('a'), picked('a')], {
    incomplete: [stored('a', 'missing')],
    remembered: [],
    sentSize,
  })
  expect(again).toHaveLength(1)
})

test('a file that was changed since it was sent is recognised', () => {
  const found = chosenAgain([picked('a', 'hello', 2), picked('b', 'hello', 2)], {
    incomplete: [stored('a', 'missing'), stored('b', 'missing')],
    remembered: [
      { name: 'a', size: 5, modified: 1 },
      { name: 'b', size: 5, modified: 2 },
    ],
    sentSize,
  })
  expect(found.map(({ changed }) => changed)).toEqual([true, false])
})
