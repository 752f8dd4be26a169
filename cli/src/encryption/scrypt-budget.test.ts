import { PassThrough } from 'node:stream'
import { createPlainEngine } from '@svc/encryption'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import type { Program } from '../program/program.ts'
import { withScryptBudget } from './scrypt-budget.ts'

/** An engine that counts the derived keys, behind the budget of a program. */
function counting(program: Program) {
  const derived: number[] = []
  const engine = withScryptBudget(program, {
    ...createPlainEngine(),
    scrypt: ({ logN }) => {
      derived.push(logN)
      return Promise.resolve(new Uint8Array(32))
    },
  })
  const derive = (logN: number) => engine.scrypt({ passphrase: 'x', salt: new Uint8Array(16), logN })
  return { derived, derive }
}

test('the work of many files ends at one budget where no one can be asked', async () => {
  const { derived, derive } = counting(idleProgram())
  for (let count = 0; count < 128; count += 1) await derive(18)
  await expect(derive(18)).rejects.toMatchObject({ code: 'work_factor_too_high' })
  expect(derived).toHaveLength(128)
})

test('few files of the highest work count as much as many of the usual one', async () => {
  const { derived, derive } = counting(idleProgram())
  for (let count = 0; count < 32; count += 1) await derive(20)
  await expect(derive(12)).rejects.toMatchObject({ code: 'work_factor_too_high' })
  expect(derived).toHaveLength(32)
})

test.each([
  ['y', 3],
  ['n', 0],
])('above the budget the user is asked once, and answers %s', async (key, more) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const errors = Object.assign(new PassThrough(), { isTTY: true })
  const { derived, derive } = counting({ ...idleProgram(), input, errors })
  for (let count = 0; count < 32; count += 1) await derive(20)
  // A second question would wait for a second answer.
  input.write(`${key}\r`)
  await Promise.allSettled([derive(20), derive(20), derive(20)])
  expect(derived).toHaveLength(32 + more)
})
