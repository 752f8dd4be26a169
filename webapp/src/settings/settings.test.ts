import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defaultSettings, parseSettings } from './settings.ts'
import { stripComments } from '@svc/contract'

const page = 'https://send.example/share/'
const parse = (json: string) => parseSettings(json, page)

test('the bundled settings are the defaults, and contain every field', async () => {
  const json = await readFile(path.join(import.meta.dirname, '../../public/settings.json'), 'utf8')
  expect(parse(json)).toEqual({ settings: defaultSettings, problems: [] })
  expect(Object.keys(JSON.parse(stripComments(json)) as object)).toEqual(Object.keys(defaultSettings))
})

test('comments are removed, URLs in strings are not', () => {
  const text = '{\n// a\n"name": "Files // here", // b\n"footer": "<a href=\\"https://x\\">x</a>" // "c"\n}'
  expect(parse(text)).toEqual({
    settings: { ...defaultSettings, name: 'Files // here', footer: '<a href="https://x">x</a>' },
    problems: [],
  })
})

describe('a field', () => {
  test.for([
    ['logo', 'logo.svg', 'https://send.example/share/logo.svg'],
    ['logo', '/files/logo.png', 'https://send.example/files/logo.png'],
    ['logo', 'data:image/png;base64,AA', 'data:image/png;base64,AA'],
    ['backgroundImage', '', ''],
    ['customCSS', 'own.css', 'https://send.example/share/own.css'],
    ['customJS', './own.js', 'https://send.example/share/own.js'],
    ['theme', 'my-theme', 'my-theme'],
    ['overlayOpacity', 0, 0],
    ['overlayOpacity', 1, 1],
    ['themes', ['*', 'mine'], ['*', 'mine']],
    ['languages', ['de', 'en'], ['de', 'en']],
    ['language', 'de', 'de'],
  ] as const)('%s may be %j', ([field, value, read]) => {
    expect(parse(JSON.stringify({ [field]: value }))).toEqual({
      settings: { ...defaultSettings, [field]: read },
      problems: [],
    })
  })

  test.for([
    ['name', 1],
    ['name', null],
    ['logo', 'https://elsewhere.example/logo.svg'],
    ['logo', '//elsewhere.example/logo.svg'],
    ['logo', 'javascript:alert(1)'],
    ['backgroundImage', 'http://['],
    ['customCSS', 'data:text/css,a{}'],
    ['customJS', 'data:text/javascript,1'],
    ['customJS', 'blob:https://send.example/1'],
    ['theme', 'two words'],
    ['theme', '"]'],
    ['themes', 'dark'],
    ['themes', ['a b']],
    ['overlayOpacity', -0.1],
    ['overlayOpacity', 1.1],
    ['overlayOpacity', '0.5'],
    ['language', 'xx'],
    ['languages', ['de', 'constructor']],
    ['logos', 'logo.svg'],
    ['__proto__x', 1],
  ] as const)('%s cannot be %j, which is reported', ([field, value]) => {
    const { settings, problems } = parse(JSON.stringify({ name: 'Files', [field]: value }))
    expect(settings).toEqual({ ...defaultSettings, ...(field !== 'name' && { name: 'Files' }) })
    expect(problems).toEqual([expect.stringContaining(`“${field}”`)])
  })
})

test('a value that is not an object yields the defaults', () => {
  expect(['null', '[]', '"x"'].map((json) => parse(json).settings)).toEqual([
    defaultSettings,
    defaultSettings,
    defaultSettings,
  ])
})

test('JSON without comments does not change', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(stripComments(json)).toBe(json)
    }),
  )
})
