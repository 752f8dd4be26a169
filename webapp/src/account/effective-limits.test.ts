import { expect, test } from 'vitest'
import { effectiveLimits } from './effective-limits.ts'

const limits = (maxFileSize: number, maxUserSize: number, maxTTL: number) => ({
  maxFileSize,
  maxUserSize,
  maxTTL,
})
const server = limits(10, 100, 1000)

test.for([
  ['nothing of their own', limits(0, 0, 0), server, limits(10, 100, 1000)],
  ['stricter ones', limits(1, 2, 3), server, limits(1, 2, 3)],
  ['more generous ones', limits(11, 101, 1001), server, limits(11, 101, 1001)],
  ['none at all', limits(-1, -1, -1), server, limits(-1, -1, -1)],
  ['nothing of their own on a server without limits', limits(0, 0, 0), limits(-1, -1, 0), limits(-1, -1, -1)],
  ['own ones on a server without limits', limits(5, 6, 7), limits(-1, -1, -1), limits(5, 6, 7)],
] as const)('who has %s', ([, user, given, expected]) => {
  expect(effectiveLimits(user, given)).toEqual(expected)
})
