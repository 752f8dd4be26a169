import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

function manualWork() {
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  return { ends, work }
}

test('requests during a run lead to exactly one more', async () => {
  const { ends, work } = manualWork()
  const { request, idle } = coalesce(work)
  request()
  request()
  request()
  expect(ends).toHaveLength(1)
  ends[0]?.()
  await Promise.resolve()
  await Promise.resolve()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await idle()
  expect(ends).toHaveLength(2)
})

test('a request after the last run begins another', async () => {
  const { ends, work } = manualWork()
  const { request, idle } = coalesce(work)
  await idle()
  request()
  ends[0]?.()
  await idle()
  request()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  await idle()
})
