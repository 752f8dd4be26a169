import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import { createProgress } from './progress.ts'

/** A terminal, and a clock that the test moves. */
function shownProgress() {
  let now = 1_000_000
  let wake: () => void = () => undefined
  const clock = {
    now: () => now,
    sleep: (_ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        wake = resolve
        signal.addEventListener('abort', () => {
          reject(new Error('ended'))
        })
      }),
  }
  const errors = Object.assign(new PassThrough(), { isTTY: true, columns: 100 })
  const program = { ...idleProgram(), clock, errors }
  const lines = () => String(errors.read() ?? '')
  return {
    progress: createProgress(program, { total: 1_000_000, quiet: false }),
    lines,
    pass: async (ms: number) => {
      now += ms
      wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('the remaining time is shown after the first second', async () => {
  const { progress, lines, pass } = shownProgress()
  await pass(500)
  progress.add(35)
  expect(lines()).not.toContain('left')
  await pass(500)
  progress.add(99_965)
  expect(lines()).toContain('9s left')
  progress.end()
})

test('a transfer without data for five seconds says so, until data comes', async () => {
  const { progress, lines, pass } = shownProgress()
  progress.add(100_000)
  for (let second = 0; second < 4; second += 1) await pass(1000)
  expect(lines()).not.toContain('no data')
  await pass(1000)
  expect(lines()).toContain('no data for 5s')
  await pass(2000)
  expect(lines()).toContain('no data for 7s')
  progress.add(1)
  expect(lines()).not.toContain('no data')
  progress.end()
  await pass(9000)
  expect(lines()).not.toContain('no data')
})
