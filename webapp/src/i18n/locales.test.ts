import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { errorCodes } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { chooseLanguage, languages } from './locales.ts'
import { pluralRule } from './plural.ts'

const folder = path.join(import.meta.dirname, '../locales')
type Tree = { readonly [key: string]: Tree | string }
const read = async (code: string) =>
  JSON.parse(await readFile(path.join(folder, `${code}.json`), 'utf8')) as Tree

/** Every message by its path, with its placeholders and the number of its forms. */
function shape(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      const at = prefix === '' ? key : `${prefix}.${key}`
      if (typeof value !== 'string') return Object.entries(shape(value, at))
      const placeholders = [...new Set(value.match(/\{\w+\}/g) ?? [])].sort().join(' ')
      return [[at, placeholders]]
    }),
  )
}

const pluralForms = (tree: Tree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : pluralForms(value)))

describe.for(Object.keys(languages))('%s', (code) => {
  test('has the messages of English with the same placeholders', async () => {
    expect(shape(await read(code))).toEqual(shape(await read('en')))
  })

  test('has as many plural forms as its language', async () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.length
    const counts = new Set(pluralForms(await read(code)).map((message) => message.split(' | ').length))
    expect([...counts].filter((count) => count !== 1)).toEqual(forms === 1 ? [] : [forms])
  })

  test('has a sentence for every refusal of the server', async () => {
    const known = (await read(code))['refusal'] ?? {}
    expect(Object.keys(errorCodes).filter((refusal) => !Object.hasOwn(known as Tree, refusal))).toEqual([])
  })
})

describe('the language', () => {
  test.for([
    [['de-AT', 'en'], 'de'],
    [['fr', 'de'], 'de'],
    [['fr'], 'en'],
    [[], 'en'],
    [['constructor', 'de'], 'de'],
  ] as const)('for %j is %s', ([wishes, language]) => {
    expect(chooseLanguage(wishes)).toBe(language)
  })
})

describe('plural forms', () => {
  test('of English are two', () => {
    expect([0, 1, 2].map((count) => pluralRule('en')(count, 2))).toEqual([1, 0, 1])
  })

  test('of Polish are one, few, many, other', () => {
    expect([1, 2, 5, 22, 1.5].map((count) => pluralRule('pl')(count, 4))).toEqual([0, 1, 2, 1, 3])
  })

  test('that are missing end in the last', () => {
    expect(pluralRule('pl')(5, 1)).toBe(0)
  })
})
