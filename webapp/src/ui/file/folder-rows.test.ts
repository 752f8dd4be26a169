import { expect, test } from 'vitest'
import { folderRows, inFolderOrder, type TreeRow } from './folder-rows.ts'

interface Named {
  readonly key: string
  readonly name: string
}

const named = (...names: readonly string[]): Named[] =>
  names.map((name, index) => ({ key: String(index), name }))
const rowsOf = (items: readonly Named[], isOpen: (path: string) => boolean = () => true) =>
  folderRows(items, { nameOf: ({ name }) => name, sizeOf: ({ name }) => name.length, isOpen })
const words = (row: TreeRow<Named>) =>
  `${'  '.repeat(row.depth)}${row.kind === 'folder' ? `${row.open ? 'v' : '>'} ${row.name} (${String(row.count)}, ${String(row.size)})` : row.name}`
const drawn = (...args: Parameters<typeof rowsOf>) => rowsOf(...args).map(words)

test('files without folders are a flat list', () => {
  expect(drawn(named('a.txt', 'b.txt'))).toEqual(['a.txt', 'b.txt'])
})

test('one file keeps its path', () => {
  expect(drawn(named('trip/a.txt'))).toEqual(['trip/a.txt'])
})

test('files are below their folders, which have number and size, after other folders', () => {
  expect(drawn(named('x.txt', 'trip/a.jpg', 'trip/day 1/b.jpg', 'y.txt', 'trip/c.jpg'))).toEqual([
    'v trip (3, 36)',
    '  v day 1 (1, 16)',
    '    b.jpg',
    '  a.jpg',
    '  c.jpg',
    'x.txt',
    'y.txt',
  ])
})

test('folders that contain only one folder share a row', () => {
  expect(drawn(named('photos/2026/a.jpg', 'photos/2026/b.jpg'))).toEqual([
    'v photos/2026 (2, 34)',
    '  a.jpg',
    '  b.jpg',
  ])
})

test('a closed folder hides what is in it', () => {
  expect(drawn(named('trip/a.jpg', 'trip/day 1/b.jpg', 'c.jpg'), (path) => path !== 'trip/')).toEqual([
    '> trip (2, 26)',
    'c.jpg',
  ])
})

test('keys of rows are unique, also for files that share their name', () => {
  const keys = rowsOf(named('a/b', 'a/b', 'a', 'a/b/c')).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test.for(['/a.txt', 'a//b.txt', 'a/'])(
  '%s, which has a folder without a name, keeps its whole name',
  (name) => {
    expect(drawn(named(name, 'trip/b.txt'))).toEqual(['v trip (1, 10)', '  b.txt', name])
  },
)

test('names of properties of objects are ordinary folders', () => {
  expect(drawn(named('constructor/b', '__proto__/a'))).toEqual([
    'v __proto__ (1, 11)',
    '  a',
    'v constructor (1, 13)',
    '  b',
  ])
})

test.for<[number, number]>([
  [32, 3],
  [33, 2],
  [500, 2],
])('of %i folders within each other, there are %i rows: deeper names are whole', ([depth, rows]) => {
  expect(drawn(named(`${'d/'.repeat(depth)}f`, 'x'))).toHaveLength(rows)
})

test('folders are in the order of their names and numbers, whichever of their files is first', () => {
  const folders = rowsOf(named('day 10/a', 'day 9/b', 'Äther/c'), () => false)
  expect(folders.map(({ name }) => name)).toEqual(['Äther', 'day 9', 'day 10'])
})

test('files have the order of their rows, also those in closed folders', () => {
  const ordered = inFolderOrder(named('x', 'b/y', 'a/z'), ({ name }) => name)
  expect(ordered.map(({ name }) => name)).toEqual(['a/z', 'b/y', 'x'])
})
