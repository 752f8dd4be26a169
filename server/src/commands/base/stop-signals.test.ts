import { expect, test } from 'vitest'
import { withoutRepeats } from './stop-signals.ts'

test('signals of a terminal and of npm for one Ctrl+C are one request to stop, and a later one is another', () => {
  let now = 1_000
  let requests = 0
  const onSignal = withoutRepeats({ monotonic: () => now }, () => {
    requests += 1
  })
  onSignal()
  now += 50
  onSignal()
  expect(requests).toBe(1)
  now += 1_000
  onSignal()
  expect(requests).toBe(2)
})
