import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseSettings } from './settings.ts'
import { stripComments } from './strip-comments.ts'

const defaults = { name: '', theme: 'auto', language: 'auto', footer: '' }

test('the settings that come with the application are the defaults', async () => {
  const file = path.join(import.meta.dirname, '../../public/settings.json')
  expect(parseSettings(await readFile(file, 'utf8'))).toEqual(defaults)
})

test('comments are left out, addresses in strings stay', () => {
  const text = '{\n// a\n"name": "Files // here", // b\n"footer": "<a href=\\"https://x\\">x</a>" // "c"\n}'
  expect(parseSettings(text)).toEqual({
    ...defaults,
    name: 'Files // here',
    footer: '<a href="https://x">x</a>',
  })
})

test('unknown fields and wrong types are ignored', () => {
  expect(parseSettings('{"name": 1, "theme": null, "logo": "x", "language": "de"}')).toEqual({
    ...defaults,
    language: 'de',
  })
})

test('whatever is not an object gives the defaults', () => {
  expect([parseSettings('null'), parseSettings('[]'), parseSettings('"x"')]).toEqual([
    defaults,
    defaults,
    defaults,
  ])
})

test('JSON without comments is never changed', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(stripComments(json)).toBe(json)
    }),
  )
})
