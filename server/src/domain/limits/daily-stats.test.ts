import { fileSizeClasses, ttlClasses } from '@svc/contract'
import { expect, test } from 'vitest'
import { daysAfter, daysFrom, dayOf, statsOfUpload, sizeStat, sizeStatOf, ttlStat } from './daily-stats.ts'
import { optionBits } from './upload-options.ts'

test('a day is one of UTC, from its first millisecond to its last', () => {
  const midnight = Date.UTC(2026, 1, 28)
  expect([-1, 0, 86_399_999, 86_400_000].map((ms) => dayOf(midnight + ms))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-02-28',
    '2026-03-01',
  ])
})

test('days are counted over the ends of months and years, in both directions', () => {
  expect(daysAfter('2027-12-31', 60)).toBe('2028-02-29')
  expect(daysAfter('2028-03-01', -1)).toBe('2028-02-29')
  expect([daysFrom('2026-11-21', '2026-11-21'), daysFrom('2027-12-31', '2028-12-31')]).toEqual([1, 367])
})

test('a size belongs to the first class that ends above it', () => {
  for (const [index, end] of fileSizeClasses.entries()) {
    if (end === null) continue
    const next = fileSizeClasses[index + 1] ?? null
    expect([sizeStatOf(end - 1), sizeStatOf(end)]).toEqual([sizeStat(end), sizeStat(next)])
  }
  expect([sizeStatOf(0), sizeStatOf(Number.MAX_SAFE_INTEGER)]).toEqual(['size:100000', 'size:more'])
})

test('a TTL belongs to the first class that it does not exceed; unlimited exceeds all', () => {
  const classOf = (ttl: number) => statsOfUpload({ ttl, options: 0 })[1]
  for (const [index, end] of ttlClasses.entries()) {
    if (end === null) continue
    const next = ttlClasses[index + 1] ?? null
    expect([classOf(end), classOf(end + 1)]).toEqual([ttlStat(end), ttlStat(next)])
  }
  expect([classOf(0), classOf(1), classOf(-1)]).toEqual(['ttl:3600', 'ttl:3600', 'ttl:more'])
})

test('an upload counts as one, and once for each of its options', () => {
  const none = {
    oneShot: false,
    removable: false,
    stream: false,
    extendTtl: false,
    password: false,
    e2ee: false,
  }
  const all = {
    oneShot: true,
    removable: true,
    stream: true,
    extendTtl: true,
    password: true,
    e2ee: true,
  }
  expect(statsOfUpload({ ttl: 1, options: optionBits(none) })).toEqual(['uploads', 'ttl:3600'])
  expect(statsOfUpload({ ttl: 1, options: optionBits(all) })).toEqual([
    'uploads',
    'ttl:3600',
    'option:oneShot',
    'option:removable',
    'option:stream',
    'option:extendTTL',
    'option:password',
    'option:e2ee',
  ])
})
