import { create } from 'qrcode'
import { expect, test } from 'vitest'
import { qrCode } from './qr-code.ts'

/** Reads the path back: which modules are dark, without the quiet zone. */
function modulesOf({ size, path }: { readonly size: number; readonly path: string }): number[] {
  const inner = size - 8
  const modules = Array.from({ length: inner * inner }, () => 0)
  for (const [, x = '', y = '', width = '', back = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
    expect(back).toBe(width)
    for (let at = 0; at < Number(width); at++) modules[(Number(y) - 4) * inner + Number(x) - 4 + at] = 1
  }
  return modules
}

test.for([
  'https://send.example/#/?id=abcdefghijklmnop',
  'https://send.example/share/#/?id=abcdefghijklmnop#key=k7qm-abcd-efgh-2345-mnpq-rstu-vwxy',
  `https://x.example/#/?id=a#key=${encodeURIComponent('grüße 🗝'.repeat(40))}`,
])('the code of %s is drawn module by module', (link) => {
  const drawn = qrCode(link)
  expect(drawn?.path).toMatch(/^(?:M\d+ \d+h\d+v1h-\d+z)+$/)
  expect(modulesOf(drawn ?? { size: 8, path: '' })).toEqual(
    Array.from(create(link, { errorCorrectionLevel: 'M' }).modules.data),
  )
})

test('a text that is too long for a code is reported', () => {
  expect(qrCode('x'.repeat(2331))).toBeDefined()
  expect(qrCode('x'.repeat(2332))).toBeUndefined()
})
