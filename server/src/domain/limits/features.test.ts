import { flagValues } from '@svc/contract'
import { describe, expect, test } from 'vitest'
import { resolveBooleanOption, resolveTextOption } from './features.ts'

const outcome = (decide: () => unknown): unknown => {
  try {
    return decide()
  } catch (error) {
    return (error as { code: unknown }).code
  }
}

describe('a boolean option', () => {
  const table = {
    disabled: [false, false, 'option_disabled'],
    enabled: [false, false, true],
    default: [true, false, true],
    forced: [true, true, true],
  }
  test.each(flagValues)('%s: not mentioned, false, true', (flag) => {
    const requested = [undefined, false, true]
    expect(requested.map((value) => outcome(() => resolveBooleanOption(flag, value, 'oneShot')))).toEqual(
      table[flag],
    )
  })
})

describe('a string option', () => {
  const table = {
    disabled: ['', '', 'option_disabled'],
    enabled: ['', '', 'secret'],
    default: ['', '', 'secret'],
    forced: ['option_required', 'option_required', 'secret'],
  }
  test.each(flagValues)('%s: not mentioned, empty, present', (flag) => {
    const requested = [undefined, '', 'secret']
    expect(requested.map((value) => outcome(() => resolveTextOption(flag, value, 'password')))).toEqual(
      table[flag],
    )
  })
})
