import { globSync } from 'node:fs'

/**
 * Makes a process see a wrong clock of its machine; timers and monotonic time stay correct.
 * @param skew seconds; negative: behind
 */
export function skewedEnvironment(skew: number): Readonly<Record<string, string>> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) throw new Error('libfaketime is not installed')
  return {
    LD_PRELOAD: library,
    FAKETIME: `${skew < 0 ? '' : '+'}${String(skew)}s`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  }
}
