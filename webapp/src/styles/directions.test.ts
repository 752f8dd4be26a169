import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** Sides that stay where they are when the writing runs the other way. `rotate: 180deg` is not a side. */
const fixedSides =
  /^\s*(?:(?:margin|padding|border)-(?:left|right)|left|right|border-(?:top|bottom)-(?:left|right)-radius|(?:text-align|float|clear): (?:left|right))\b/

/** Four values whose second and fourth differ: right and left. */
const fourValues =
  /^\s*(?:margin|padding|inset): (?:\S+ |var\([^)]*\) )(\S+|var\([^)]*\)) (?:\S+) (?!\1;)\S+;/

test('styles use logical sides, so that they follow the writing direction', async () => {
  const files = (await readdir(root, { recursive: true })).filter((file) => /\.(?:vue|css)$/.test(file))
  const found: string[] = []
  for (const file of files) {
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
    const wrong = lines.filter(
      (line) => fixedSides.test(line) && line.includes(':') && line.trim().endsWith(';'),
    )
    const four = lines.filter((line) => fourValues.test(line))
    found.push(...[...wrong, ...four].map((line) => `${file}: ${line.trim()}`))
  }
  expect(found.filter((line) => !line.includes('rem center'))).toEqual([])
})
