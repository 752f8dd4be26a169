import fc from 'fast-check'
import { expect, test } from 'vitest'
import { presetTTL, ttlChoices } from './ttl-choices.ts'

const hour = 3600
const day = 24 * hour

test.for([
  ['the usual server', { maxTTL: 30 * day, defaultTTL: 30 * day }, [hour, day, 7 * day, 30 * day], 30 * day],
  [
    'a custom default',
    { maxTTL: 30 * day, defaultTTL: 3 * day },
    [hour, day, 3 * day, 7 * day, 30 * day],
    3 * day,
  ],
  ['a short maximum', { maxTTL: 2 * hour, defaultTTL: 30 * day }, [hour, 2 * hour], 2 * hour],
  ['no limit', { maxTTL: 0, defaultTTL: day }, [hour, day, 7 * day, 30 * day, -1], day],
  ['no limit and no default', { maxTTL: -1, defaultTTL: 0 }, [hour, day, 7 * day, 30 * day, -1], -1],
] as const)('%s', ([, limits, choices, preset]) => {
  expect({ choices: ttlChoices(limits), preset: presetTTL(limits) }).toEqual({ choices, preset })
})

test('the preset is always a choice, and nothing beyond the maximum is', () => {
  const seconds = fc.integer({ min: -1, max: 400 * day })
  fc.assert(
    fc.property(seconds, seconds, (maxTTL, defaultTTL) => {
      const choices = ttlChoices({ maxTTL, defaultTTL })
      expect(choices).toContain(presetTTL({ maxTTL, defaultTTL }))
      if (maxTTL > 0) expect(choices.every((ttl) => ttl > 0 && ttl <= maxTTL)).toBe(true)
    }),
  )
})
