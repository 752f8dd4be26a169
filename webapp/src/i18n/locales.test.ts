import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { directionOf, errorCodes } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { languages } from './locales.ts'
import { pluralRule } from './plural.ts'

const folder = path.join(import.meta.dirname, '../locales')
type Tree = { readonly [key: string]: Tree | string }
const readTree = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Tree
const read = async (code: string): Promise<Tree> => ({
  ...(await readTree(`${code}.json`)),
  ...(await readTree(`accounts/accounts-${code}.json`)),
  ...(await readTree(`requests/requests-${code}.json`)),
  ...(await readTree(`managing/managing-${code}.json`)),
  ...(await readTree(`viewers/viewers-${code}.json`)),
  ...(await readTree(`manifest/manifest-${code}.json`)),
  ...(await readTree(`receiving/receiving-${code}.json`)),
})

/** The placeholders of every message, by its path. */
function shape(tree: Tree, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      const messagePath = prefix === '' ? key : `${prefix}.${key}`
      if (typeof value !== 'string') return Object.entries(shape(value, messagePath))
      const placeholders = [...new Set(value.match(/\{\w+\}/g) ?? [])].sort().join(' ')
      return [[messagePath, placeholders]]
    }),
  )
}

const pluralForms = (tree: Tree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : pluralForms(value)))

describe.for(Object.keys(languages))('%s', (code) => {
  test('has the messages of English with the same placeholders, and no others', async () => {
    const [own, english] = [shape(await read(code)), shape(await read('en'))]
    expect({
      missing: Object.keys(english).filter((key) => !Object.hasOwn(own, key)),
      unknown: Object.keys(own).filter((key) => !Object.hasOwn(english, key)),
    }).toEqual({ missing: [], unknown: [] })
    expect(own).toEqual(english)
  })

  test('has all plural forms of its language', async () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.length
    const counts = new Set(pluralForms(await read(code)).map((message) => message.split(' | ').length))
    expect([...counts].filter((count) => count !== 1)).toEqual(forms === 1 ? [] : [forms])
  })

  test('has a message for every error of the server', async () => {
    const { refusal, transferRefusal, accountRefusal, requests, alias, mail, receiving } = await read(code)
    const known = {
      ...(refusal as Tree),
      ...(transferRefusal as Tree),
      ...(accountRefusal as Tree),
      ...((requests as Tree)['refusal'] as Tree),
      ...((alias as Tree)['refusal'] as Tree),
      ...((mail as Tree)['refusal'] as Tree),
      ...((receiving as Tree)['refusal'] as Tree),
    }
    expect(Object.keys(errorCodes).filter((errorCode) => !Object.hasOwn(known, errorCode))).toEqual([])
  })
})

test.for(Object.keys(languages).filter((code) => directionOf(code) === 'rtl'))(
  'in %s, what is put into a message has its own direction',
  async (code) => {
    const messages = JSON.stringify(await read(code))
    expect(messages).toContain('\u2068{name}\u2069')
    expect(messages.match(/(?<!\u2068)\{\w+\}|\{\w+\}(?!\u2069)/g)).toBe(null)
  },
)

test('every message file belongs to a language of the menu, and the other way round', async () => {
  const namesIn = async (directory: string) =>
    (await readdir(directory)).filter((file) => file.endsWith('.json')).map((file) => path.parse(file).name)
  const codes = Object.keys(languages).sort()
  expect((await namesIn(folder)).sort()).toEqual(codes)
  for (const pages of ['accounts', 'requests', 'managing', 'viewers', 'manifest', 'receiving'])
    expect((await namesIn(path.join(folder, pages))).sort()).toEqual(codes.map((code) => `${pages}-${code}`))
})

test('no message is unused', async () => {
  const root = path.join(import.meta.dirname, '..')
  const sources = (await readdir(root, { recursive: true })).filter((file) =>
    /(?<!\.test)\.(?:ts|vue)$/.test(file),
  )
  const code = (await Promise.all(sources.map((file) => readFile(path.join(root, file), 'utf8')))).join('\n')
  // A key stands in the code as it is, or as its beginning before what is put in: `badge.${badge}`.
  const written = new Set(Array.from(code.matchAll(/['"`]([a-zA-Z]+(?:\.\w+)+)['"`]/g), ([, key]) => key))
  const beginnings = Array.from(code.matchAll(/`([a-zA-Z]+\.[\w.]*)\$\{/g), ([, beginning = '']) => beginning)
  const keys = Object.keys(shape(await read('en')))
  expect(
    keys.filter((key) => !written.has(key) && !beginnings.some((beginning) => key.startsWith(beginning))),
  ).toEqual([])
})

describe('plural forms', () => {
  test('of English are two', () => {
    expect([0, 1, 2].map((count) => pluralRule('en')(count, 2))).toEqual([1, 0, 1])
  })

  test('that are missing use the last form', () => {
    expect([1, 2, 5, 22, 1.5].map((count) => pluralRule('pl')(count, 4))).toEqual([0, 1, 2, 1, 3])
  })

  test('that are missing end in the last', () => {
    expect(pluralRule('pl')(5, 1)).toBe(0)
  })
})
