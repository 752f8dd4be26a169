import { expect, test } from 'vitest'
import { inParallel } from './in-parallel.ts'

test('items begin in order, no more at once than allowed', async () => {
  const begun: number[] = []
  let running = 0
  let maxRunning = 0
  await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
    begun.push(item)
    running += 1
    maxRunning = Math.max(maxRunning, running)
    await Promise.resolve()
    running -= 1
  })
  expect({ begun, maxRunning }).toEqual({ begun: [1, 2, 3, 4, 5], maxRunning: 2 })
})

test('no item begins after an error', async () => {
  const { promise: others, resolve: finishOthers } = Promise.withResolvers<undefined>()
  const begun: number[] = []
  const ended: number[] = []
  const working = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item)
    if (item === 1) throw new Error('disk full')
    await others
    ended.push(item)
  })
  await expect(working).rejects.toThrow('disk full')
  finishOthers(undefined)
  await new Promise(setImmediate)
  expect({ begun, ended }).toEqual({ begun: [1, 2], ended: [2] })
})
