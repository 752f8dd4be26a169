import { expect, test } from 'vitest'
import { requestEnd } from './request-end.ts'

const now = Date.parse('2026-11-29T01:00:00Z')
const at = (seconds: number) => new Date(now + seconds * 1000).toISOString()

test.for([
  [{ expireAt: at(0), closed: false, open: false }, 'expired'],
  [{ expireAt: at(-1), closed: true, open: false }, 'expired'],
  [{ expireAt: at(60), closed: true, open: false }, 'closed'],
  [{ expireAt: null, closed: true, open: false }, 'closed'],
  [{ expireAt: at(60), closed: false, open: true }, undefined],
  [{ expireAt: at(1), closed: false, open: true }, undefined],
  [{ expireAt: null, closed: false, open: true }, undefined],
  [{ expireAt: at(60), closed: false, open: false }, 'full'],
  [{ expireAt: null, closed: false, open: false }, 'full'],
  // It has expired since the page has looked at the clock.
  [{ expireAt: at(30), closed: false, open: false }, 'expired'],
] as const)('a request with %j has ended: %s', ([request, end]) => {
  expect(requestEnd(request, now)).toBe(end)
})
