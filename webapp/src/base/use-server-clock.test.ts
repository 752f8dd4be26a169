import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApp } from 'vue'
import { reportResponse } from './responses.ts'
import { provideStores } from './store.ts'
import { useServerClock } from './use-server-clock.ts'

const date = 'Tue, 01 Dec 2026 12:00:00 GMT'
const noon = Date.parse(date)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a wrong clock is corrected by the time of the server, and a right one is not changed', () => {
  const app = createApp({})
  provideStores(app)
  const { serverNow } = app.runWithContext(useServerClock)
  const receive = (value: string | null, now: number) => {
    vi.setSystemTime(now)
    reportResponse({ date: value })
  }
  expect(serverNow(noon)).toBe(noon)
  receive(date, noon + 86_400_000)
  expect(serverNow(noon + 86_401_000)).toBe(noon + 1500)
  receive(null, noon)
  receive('yesterday', noon)
  expect(serverNow(noon + 86_401_000)).toBe(noon + 1500)
  receive(date, noon - 3_600_000)
  expect(serverNow(noon - 3_600_000)).toBe(noon + 500)
  receive(date, noon + 2499)
  expect(serverNow(noon + 2499)).toBe(noon + 2499)
})
