import { setImmediate as nextIteration } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTaskQueue } from './task-queue.ts'

test('the queue runs a limited number of tasks in their order, and each end starts the next', async () => {
  const queue = createTaskQueue(2)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  for (const name of ['a', 'b', 'c', 'd']) {
    queue.add(() => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  }
  expect(started).toEqual(['a', 'b'])
  ends.get('b')?.()
  await nextIteration()
  expect(started).toEqual(['a', 'b', 'c'])
  ends.get('a')?.()
  ends.get('c')?.()
  await nextIteration()
  expect(started).toEqual(['a', 'b', 'c', 'd'])
})

test('a task that is added to an idle queue starts at once', async () => {
  const queue = createTaskQueue(1)
  let count = 0
  const task = () => {
    count += 1
    return Promise.resolve()
  }
  queue.add(task)
  await nextIteration()
  queue.add(task)
  expect(count).toBe(2)
})
