import { expect, test } from 'vitest'
import { effectiveLimits } from './effective-limits.ts'

const limits = (maxFileSize: number, maxUserSize: number, maxTTL: number) => ({
  maxFileSize,
  maxUserSize,
  maxTTL,
})
const server = limits(10, 100, 1000)
const unlimitedServer = limits(-1, -1, 0)

test.for([
  ['a user without custom limits', limits(0, 0, 0), server, limits(10, 100, 1000)],
  ['a user with lower limits', limits(1, 2, 3), server, limits(1, 2, 3)],
  ['a user with higher limits', limits(11, 101, 1001), server, limits(11, 101, 1001)],
  ['an unlimited user', limits(-1, -1, -1), server, limits(-1, -1, -1)],
  ['a user with one custom limit', limits(0, 2, 0), server, limits(10, 2, 1000)],
  [
    'a user without custom limits of an unlimited server',
    limits(0, 0, 0),
    unlimitedServer,
    limits(-1, -1, -1),
  ],
  ['a user with custom limits of an unlimited server', limits(5, 6, 7), unlimitedServer, limits(5, 6, 7)],
  ['a guest', null, server, limits(10, -1, 1000)],
  ['a guest of an unlimited server', null, unlimitedServer, limits(-1, -1, -1)],
] as const)('the limits of %s', ([, user, ofServer, expected]) => {
  expect(effectiveLimits(user, ofServer)).toEqual(expected)
})
