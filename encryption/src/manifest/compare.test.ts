import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareWithManifest } from './compare.ts'

const sent = (id: string, name = id) => ({ id, name, size: 1, sha256: 'a'.repeat(64) })
const files = [sent('a'), sent('b'), sent('c')]

test('the files that were sent are expected', () => {
  const listed = [
    { id: 'b', name: 'b' },
    { id: 'a', name: 'a' },
    { id: 'c', name: 'c' },
  ]
  const { expected, renamed, added, missing } = compareWithManifest({ files }, listed)
  expect([...expected.values()].map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  expect([renamed.size, added, missing]).toEqual([0, [], []])
})

test('a renamed, an added, a doubled and a missing file are found', () => {
  const listed = [
    { id: 'a', name: 'b' },
    { id: 'x', name: 'c' },
    { id: 'b', name: 'b' },
    { id: 'b', name: 'b' },
  ]
  const { expected, renamed, added, missing } = compareWithManifest({ files }, listed)
  expect([...expected.keys()]).toEqual([listed[2]])
  expect([...renamed]).toEqual([[listed[0], files[0]]])
  expect(added).toEqual([listed[1], listed[3]])
  expect(missing).toEqual([files[2]])
})

test('each listed file is in one group, and each file that was sent is listed or missing', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const listedFiles = fc.array(fc.record({ id: name, name }))
  fc.assert(
    fc.property(listedFiles, (listed) => {
      const { expected, renamed, added, missing } = compareWithManifest({ files }, listed)
      expect(expected.size + renamed.size + added.length).toBe(listed.length)
      expect(expected.size + renamed.size + missing.length).toBe(files.length)
      for (const [file, known] of expected) expect({ id: known.id, name: known.name }).toEqual(file)
    }),
  )
})
