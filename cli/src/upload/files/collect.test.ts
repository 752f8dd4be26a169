import { expect, test } from 'vitest'
import { idleProgram } from '../../documentation/idle-program.ts'
import { collect } from './collect.ts'

test('Ctrl-C ends the traversal of folders', async () => {
  const reason = new Error('interrupted')
  const program = { ...idleProgram(), interrupted: AbortSignal.abort(reason) }
  await expect(collect(program, [import.meta.dirname], { kinds: 'files' })).rejects.toBe(reason)
})
