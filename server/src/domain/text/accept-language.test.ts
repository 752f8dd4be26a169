import { expect, test } from 'vitest'
import { acceptedLanguages } from './accept-language.ts'

test.for([
  ['', []],
  ['de', ['de']],
  ['de-AT,de;q=0.9, en;q=0.8', ['de-AT', 'de', 'en']],
  ['en;q=0.3, fr ;q=0.7,it', ['it', 'fr', 'en']],
  ['*, nl;q=0, sv; Q=0.5', ['sv']],
  ['pl;q=much,ru', ['ru']],
] as const)('“%s” prefers %s', ([header, languages]) => {
  expect(acceptedLanguages(header)).toEqual(languages)
})
