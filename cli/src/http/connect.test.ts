import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import { connectionOptions } from './connect.ts'

test.each([
  { where: 'at a terminal', isTTY: true, isQuiet: false, isWatched: true },
  { where: 'at a terminal with --quiet or --json', isTTY: true, isQuiet: true, isWatched: false },
  { where: 'in a pipe', isTTY: false, isQuiet: false, isWatched: false },
])('a wait for the server $where is watched: $isWatched', async ({ isTTY, isQuiet, isWatched }) => {
  let isRead = false
  const clock = {
    now: () => {
      isRead = true
      return 0
    },
    sleep: () => Promise.reject(new Error('ended')),
  }
  const errors = Object.assign(new PassThrough(), { isTTY })
  const { fetch } = connectionOptions({ ...idleProgram(), clock, errors }, { insecure: false, isQuiet })
  const signal = AbortSignal.abort(new Error('cancelled'))
  await expect(fetch('http://127.0.0.1/', { signal })).rejects.toThrow()
  expect(isRead).toBe(isWatched)
})
