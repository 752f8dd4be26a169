import { expect, test } from 'vitest'
import { firstDay, periodRouteQuery, periods, readPeriod } from './period.ts'

test('the URL contains the period, unless it is the default', () => {
  for (const days of periods) {
    const address = periodRouteQuery(days)
    expect(readPeriod(address as Record<string, string>)).toBe(days)
  }
  expect([periodRouteQuery(30), periodRouteQuery(7)]).toEqual([{}, { days: '7' }])
})

test.for(['8', '', '-7', '07', 'all'])('%j in a URL is the default period', (days) => {
  expect(readPeriod({ days })).toBe(30)
})

test('the last day of a period is today, in UTC', () => {
  const justBeforeMidnight = Date.UTC(2026, 10, 22) - 1
  expect(firstDay(7, justBeforeMidnight)).toBe('2026-11-15')
  expect(firstDay(7, justBeforeMidnight + 1)).toBe('2026-11-16')
  expect(firstDay(365, justBeforeMidnight)).toBe('2025-11-22')
})
