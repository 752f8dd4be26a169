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
  expect(await ended.promise).toMatchObject({
    message: 'files of the program were deleted or replaced while it was running: restart it',
    cause: { message: expect.stringContaining('deleted-worker') as string },
  })
})
