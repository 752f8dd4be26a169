import { expect, test } from 'vitest'
import { findProblems, findDuplicateNames, useSelectedFiles, type SelectedFile } from './selected-files.ts'

const chosen = (key: string, name: string, size: number): SelectedFile => ({
  key,
  name,
  blob: new File([new Uint8Array(size)], name, { lastModified: 0 }),
})

test('files that do not fit in the free space have an error, smaller ones after them have none', () => {
  const files = [chosen('a', 'a', 6), chosen('b', 'b', 5), chosen('c', 'c', 4)]
  const limits = { maxFileSize: -1, maxFiles: 9 }
  expect(findProblems(files, { ...limits, freeSpace: 10 })).toEqual(new Map([['b', 'noSpace']]))
  expect(findProblems(files, { ...limits, freeSpace: undefined })).toEqual(new Map())
})

test('only files beyond a limit are rejected, exact to the byte and to the file', () => {
  const files = [
    chosen('full', 'a', 10),
    chosen('over', 'b', 11),
    chosen('bad', '..', 1),
    chosen('second', 'c', 0),
    chosen('third', 'd', 1),
  ]
  expect(findProblems(files, { maxFileSize: 10, maxFiles: 2 })).toEqual(
    new Map([
      ['over', 'tooBig'],
      ['bad', 'dots'],
      ['third', 'tooMany'],
    ]),
  )
})

test('without a limit no file is too large', () => {
  expect(findProblems([chosen('a', 'a', 100)], { maxFileSize: -1, maxFiles: 1 })).toEqual(new Map())
})

test('a limit of zero bytes accepts only empty files', () => {
  expect(findProblems([chosen('a', 'a', 1), chosen('b', 'b', 0)], { maxFileSize: 0, maxFiles: 9 })).toEqual(
    new Map([['a', 'tooBig']]),
  )
})

test('a file that is added twice is one; a renamed one can be added again', () => {
  const { files, add, rename, remove } = useSelectedFiles()
  const { blob } = chosen('', 'a', 3)
  const names = () => files.value.map(({ name }) => name)
  expect(add([{ blob, name: 'a' }])).toBe(0)
  expect(add([{ blob, name: 'a' }])).toBe(1)
  expect(names()).toEqual(['a'])
  rename(files.value[0]?.key ?? '', 'b')
  add([{ blob, name: 'a' }])
  expect(names()).toEqual(['b', 'a'])
  remove([files.value[0]?.key ?? ''])
  expect(names()).toEqual(['a'])
  expect(new Set(files.value.map(({ key }) => key)).size).toBe(1)
})

test('equal names are found among any number of files', () => {
  const files = ['a', 'b', 'a', 'c', 'a', 'c/a'].map((name, index) => chosen(String(index), name, index))
  expect([...findDuplicateNames(files)]).toEqual(['0', '2', '4'])
})

test('a request refuses names without an allowed extension, and those that are too long once they are encrypted', () => {
  const files = ['a.pdf', 'a.jpg', `${'é'.repeat(280)}.pdf`].map((name, key) => ({
    key: String(key),
    name,
    blob: new File(['x'], name),
  }))
  const limits = { maxFileSize: -1, maxFiles: 9, extensions: ['pdf'], maxNameBytes: 560 }
  expect([...findProblems(files, limits)]).toEqual([
    ['1', 'extension'],
    ['2', 'long'],
  ])
})
