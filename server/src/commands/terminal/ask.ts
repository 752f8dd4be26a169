import { Refused } from '../../admin/import-error.ts'
import type { Program } from '../base/program.ts'

/**
 * Asks a person for a line.
 * @param echo `hidden`: what is typed is not shown
 * @throws Refused when the person gives no answer
 */
export async function ask(
  { input, prompts }: Program,
  prompt: string,
  echo: 'shown' | 'hidden',
): Promise<string> {
  const { read } = await import('read')
  const given = read({ prompt, input, output: prompts, terminal: true, silent: echo === 'hidden' })
  // Who closes the input without a line answers nothing. A line closes it too, right before it is given.
  const closed = new Promise<never>((_, reject) => {
    input.once('pause', () => setImmediate(reject, new Refused('no answer, nothing was done')))
  })
  try {
    return await Promise.race([given, closed])
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('cancelled, nothing was done', error)
  } finally {
    // The line break that was typed is hidden, too.
    if (echo === 'hidden') prompts.write('\n')
  }
}

/** @throws Refused unless a person says yes */
export async function confirm(program: Program, question: string): Promise<void> {
  const said = await ask(program, `${question} [y/N]`, 'shown')
  if (!/^y(?:es)?$/i.test(said.trim())) throw new Refused('nothing was done')
}
