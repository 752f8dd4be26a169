import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '../..')

test('no button is disabled while its action runs, because it would lose the focus: it has aria-disabled', async () => {
  const components = (await readdir(root, { recursive: true })).filter((file) => file.endsWith('.vue'))
  const found = await Promise.all(
    components.map(async (file) =>
      Array.from(
        (await readFile(path.join(root, file), 'utf8')).matchAll(
          /\s:disabled="[^"]*\b(?:busy|is\w+ing)\b[^"]*"/g,
        ),
        ([attribute]) => `${file}:${attribute}`,
      ),
    ),
  )
  expect(components.length).toBeGreaterThan(100)
  expect(found.flat()).toEqual([])
})
