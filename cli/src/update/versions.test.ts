import { expect, test } from 'vitest'
import { ageOf } from './versions.ts'

test.each([
  ['0.2.0', '0.1.9', 'newer'],
  ['0.10.0', '0.9.0', 'newer'],
  ['v1.0.0', '1.0.0', 'same'],
  ['1.0.0', '1.0.1', 'older'],
  ['1.2.3', '2.0.0', 'older'],
  ['1.0', '1.0.0', 'unknown'],
  ['<script>', '1.0.0', 'unknown'],
])('%s is to %s: %s', (offered, own, age) => {
  expect(ageOf(offered, own)).toBe(age)
})
