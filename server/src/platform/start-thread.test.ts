import { expect, test } from 'vitest'
import { startThread } from './start-thread.ts'

test('a thread whose program was deleted ends with an error that says what to do', async () => {
  const ended = Promise.withResolvers<unknown>()
  const { markBusy } = startThread({
    program: 'deleted-worker',
    neighbour: import.meta.url,
    name: 'deleted',
    onEnd: ended.resolve,
  })
  markBusy()
  expect(String(await ended.promise)).toMatch(
    /deleted or replaced.*restart it \(Cannot find module .*deleted-worker/,
  )
})
