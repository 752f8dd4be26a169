import { CommandError } from '../../domain/command-error.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

/**
 * Prompts for a line.
 * @param echo `hidden` does not show the typed characters
 * @throws CommandError when the input ends without a line
 */
export async function ask(
  { input, errors }: Program,
  prompt: string,
  echo: 'shown' | 'hidden',
): Promise<string> {
  const { read } = await import('read')
  const line = read({ prompt, input, output: errors, terminal: true, silent: echo === 'hidden' })
  // The input may end without a line. After a line, `read` closes it too, right before it resolves.
  const closed = new Promise<never>((_, reject) => {
    input.once('pause', () => setImmediate(reject, new CommandError('no input, nothing was changed')))
  })
  try {
    return await Promise.race([line, closed])
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError('cancelled, nothing was changed', error)
  } finally {
    // The typed line break is hidden, too.
    if (echo === 'hidden') errors.write('\n')
  }
}

/** @throws UsageError when there is no terminal for a confirmation */
export function requireAnswer({ input }: Program, { yes }: { readonly yes?: boolean | undefined }): void {
  if (yes !== true && input.isTTY !== true)
    throw new UsageError('the confirmation needs a terminal: use --yes')
}

/** @throws CommandError unless the user types yes */
export async function confirm(program: Program, question: string): Promise<void> {
  const line = await ask(program, `${question} [y/N]`, 'shown')
  if (!/^y(?:es)?$/i.test(line.trim())) throw new CommandError('nothing was changed')
}
