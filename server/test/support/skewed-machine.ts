import { globSync } from 'node:fs'

/**
 * What makes a process believe that its machine's clock is off; timers and the time that only ever passes stay right.
 * @param skew seconds; negative: behind
 */
export function skewedEnvironment(skew: number): Readonly<Record<string, string>> {
  const [library = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${skew < 0 ? '' : '+'}${String(skew)}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}
