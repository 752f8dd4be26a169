import { expect, test } from 'vitest'
import { syncServerTime, serverNow } from './server-clock.ts'

const date = 'Tue, 01 Dec 2026 12:00:00 GMT'
const noon = Date.parse(date)

test('a wrong clock is corrected by the time of the server, and a right one is not changed', () => {
  syncServerTime(date, noon + 86_400_000)
  expect(serverNow(noon + 86_401_000)).toBe(noon + 1500)
  syncServerTime(null, noon)
  syncServerTime('yesterday', noon)
  expect(serverNow(noon + 86_401_000)).toBe(noon + 1500)
  syncServerTime(date, noon - 3_600_000)
  expect(serverNow(noon - 3_600_000)).toBe(noon + 500)
  syncServerTime(date, noon + 2499)
  expect(serverNow(noon + 2499)).toBe(noon + 2499)
})
