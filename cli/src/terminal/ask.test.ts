import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import { ask, confirm } from './ask.ts'

/** A person at a terminal: what they type, and what they are shown. */
function person() {
  const [input, errors] = [new PassThrough(), new PassThrough()]
  const program = { ...idleProgram(), input, errors }
  let shown = ''
  errors.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const sees = async (words: string) => {
    while (!shown.includes(words)) await once(errors, 'data')
  }
  return { program, type: (line: string) => input.write(`${line}\n`), sees, shown: () => shown }
}

test('one answer is to one question, however many are asked at once', async () => {
  const { program, type, sees, shown } = person()
  const answers = Promise.all(['one', 'two', 'three'].map((name) => confirm(program, `${name}?`)))
  await sees('one?')
  type('y')
  await sees('two?')
  expect(shown()).not.toContain('three?')
  type('n')
  await sees('three?')
  type('y')
  expect(await answers).toEqual([true, false, true])
})

test('a question that nobody answers leaves the next one to be asked', async () => {
  const { program, type, sees } = person()
  const first = ask(program, 'first? ')
  const second = ask(program, 'second? ')
  await sees('first?')
  // Ctrl-D.
  program.input.write('\x04')
  await expect(first).rejects.toThrow('no answer')
  await sees('second?')
  type('here')
  expect(await second).toBe('here')
})

test('of what is hidden, the spaces around it count', async () => {
  const { program, type, sees, shown } = person()
  const secret = ask(program, 'Passphrase: ', 'hidden')
  await sees('Passphrase: ')
  type(' sp ')
  expect(await secret).toBe(' sp ')
  expect(shown()).not.toContain('sp ')
  const open = ask(program, 'Name: ')
  await sees('Name: ')
  type(' sp ')
  expect(await open).toBe('sp')
})
