import { base62 } from '@svc/contract'
import { expect, test } from 'vitest'
import { isId, randomId, randomText, randomUploadToken } from './ids.ts'

test('ids have 16 characters of Base62, upload tokens 32', () => {
  const random = (into: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(into)
  expect(randomId(random)).toMatch(/^[0-9A-Za-z]{16}$/)
  expect(randomUploadToken(random)).toMatch(/^[0-9A-Za-z]{32}$/)
  expect(isId(randomId(random))).toBe(true)
})

test('every digit stands for equally many byte values', () => {
  let next = 0
  const counting = (into: Uint8Array<ArrayBuffer>) => {
    for (let i = 0; i < into.length; i++) into[i] = next++ % 256
  }
  const counts = new Map<string, number>()
  for (const digit of randomText(counting, 62 * 4 * 100)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect([...counts.keys()].sort()).toEqual(Array.from(base62).sort())
  expect(Math.max(...counts.values()) - Math.min(...counts.values())).toBeLessThanOrEqual(4)
})

test.each(['', 'short', '0123456789abcde/', '../../etc/passwd', '0123456789abcdef\n', '0123456789abcdefg'])(
  '%j is not an id',
  (value) => {
    expect(isId(value)).toBe(false)
  },
)
