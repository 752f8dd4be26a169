import { expect, test } from 'vitest'
import { whenQuiet } from './when-quiet.ts'

/** A clock whose sleepers wake when the test says so. */
function manualClock() {
  let sleepers: (() => void)[] = []
  return {
    clock: {
      now: () => 0,
      sleep: () =>
        new Promise<void>((resolve) => {
          sleepers.push(resolve)
        }),
    },
    /** Lets all that sleep now wake, and the rest of their work run. */
    wake: async () => {
      const waking = sleepers
      sleepers = []
      for (const sleeper of waking) sleeper()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a key is reported once, after a time without a change', async () => {
  const { clock, wake } = manualClock()
  const quiet: string[] = []
  const watch = whenQuiet(clock, 1000, new AbortController().signal, (key) => quiet.push(key))
  watch.changed('a')
  watch.changed('b')
  watch.changed('a')
  await wake()
  watch.changed('a')
  expect(quiet).toEqual(['b'])
  await wake()
  expect(quiet).toEqual(['b'])
  await wake()
  expect(quiet).toEqual(['b', 'a'])
  watch.changed('a')
  await wake()
  expect(quiet).toEqual(['b', 'a', 'a'])
})
