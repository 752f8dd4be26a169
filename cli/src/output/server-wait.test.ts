import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import { statusLine } from '../interactive/status-line.ts'
import { createProgress } from './progress.ts'
import { showWait } from './server-wait.ts'

/** A terminal, a clock that the test moves, and a server that sends nothing. */
function waitingProgram() {
  let now = 1_000_000
  const sleepers = new Set<() => void>()
  const clock = {
    now: () => now,
    sleep: (_ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        sleepers.add(resolve)
        signal.addEventListener('abort', () => {
          reject(new Error('ended'))
        })
      }),
  }
  let written = ''
  const screen = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString()
      done()
    },
  })
  const errors = Object.assign(screen, { isTTY: true, columns: 100 })
  const program = { ...idleProgram(), clock, errors }
  const head = Promise.withResolvers<string>()
  return {
    program,
    head,
    response: showWait(program, 'example.org', () => head.promise),
    /** What was written since the last call. */
    lines: () => {
      const lines = written
      written = ''
      return lines
    },
    pass: async (ms: number) => {
      now += ms
      const due = [...sleepers]
      sleepers.clear()
      for (const wake of due) wake()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

test('a server without a response for five seconds is named, until its response comes', async () => {
  const { head, response, lines, pass } = waitingProgram()
  for (let second = 0; second < 4; second += 1) await pass(1000)
  expect(lines()).toBe('')
  await pass(1000)
  expect(lines()).toBe('\rwaiting for example.org · 5s\x1b[K')
  await pass(7000)
  expect(lines()).toBe('\rwaiting for example.org · 12s\x1b[K')
  head.resolve('head')
  expect(await response).toBe('head')
  expect(lines()).toBe('\r\x1b[K')
  await pass(9000)
  expect(lines()).toBe('')
})

test('the progress of a transfer takes the line, and bytes count as a response', async () => {
  const { program, lines, pass } = waitingProgram()
  const progress = createProgress(program, { total: 1_000_000, quiet: false })
  await pass(6000)
  expect(lines()).toContain('waiting for example.org')
  progress.add(100_000)
  await pass(6000)
  expect(lines()).not.toContain('waiting')
  progress.add(100_000)
  progress.end()
  await pass(3000)
  expect(lines()).not.toContain('waiting')
  await pass(3000)
  expect(lines()).toContain('waiting for example.org · 6s')
})

test('a question keeps the line', async () => {
  const { program, lines, pass } = waitingProgram()
  const answer = Promise.withResolvers<string>()
  const asked = statusLine(program).whileEmpty(() => answer.promise)
  await pass(6000)
  expect(lines()).toBe('')
  answer.resolve('yes')
  await asked
  await pass(1000)
  expect(lines()).toContain('waiting for example.org · 7s')
})
