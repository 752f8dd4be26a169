import { describe, expect, test } from 'vitest'
import { chooseLanguage, directionOf } from './languages.ts'

test.for([
  ['en', 'ltr'],
  ['zh', 'ltr'],
  ['ar', 'rtl'],
  ['fa-IR', 'rtl'],
  ['he', 'rtl'],
  ['heb', 'ltr'],
] as const)('%s is written %s', ([code, direction]) => {
  expect(directionOf(code)).toBe(direction)
})

describe('the language', () => {
  test.for([
    [['de-AT', 'en'], 'de'],
    [['xx', 'de'], 'de'],
    [['xx'], 'en'],
    [['zh-Hant-TW', 'de'], 'zh'],
    [[], 'en'],
    [['constructor', 'de'], 'de'],
  ] as const)('for %j is %s', ([preferred, language]) => {
    expect(chooseLanguage(preferred, ['en', 'de', 'zh'])).toBe(language)
  })
})

test.for([
  [['fr', 'de'], ['de', 'en'], 'de'],
  [['fr'], ['de', 'en'], 'en'],
  [['fr'], ['de', 'pl'], 'de'],
] as const)(
  'with the preferences %j and the available languages %j it is %s',
  ([preferred, available, language]) => {
    expect(chooseLanguage(preferred, available)).toBe(language)
  },
)
