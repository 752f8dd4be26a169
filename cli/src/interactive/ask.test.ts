import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { idleProgram } from '../documentation/idle-program.ts'
import { ask, confirm } from './ask.ts'

/** A user at a terminal: what the user types, and what the terminal shows. */
function terminalUser() {
  const [input, errors] = [new PassThrough(), new PassThrough()]
  const program = { ...idleProgram(), input, errors }
  let shown = ''
  errors.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const sees = async (words: string) => {
    while (!shown.includes(words)) await once(errors, 'data')
  }
  return { program, type: (line: string) => input.write(`${line}\n`), sees, shown: () => shown }
}

test('concurrent prompts are shown one after the other, and each gets one answer', async () => {
  const { program, type, sees, shown } = terminalUser()
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

test('a prompt without an answer does not block the next one', async () => {
  const { program, type, sees } = terminalUser()
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

test('a hidden prompt keeps spaces around the input, and a visible one trims them', async () => {
  const { program, type, sees, shown } = terminalUser()
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
