import { EncryptionError, type Engine } from '@svc/encryption'
import { canAsk, confirm } from '../interactive/ask.ts'
import type { Program } from '../program/program.ts'

/** The work of a passphrase that a person types: about a second. */
const usualWork = 2 ** 18
/** The work that a command does without a question: about two minutes. Each file of an upload states its own. */
const budget = 128 * usualWork

/** Derives keys up to a budget for all files of a command. Above it the user is asked once, if there is a terminal. */
export function withScryptBudget(program: Program, engine: Engine): Engine {
  let spent = 0
  let permission: Promise<boolean> | undefined
  const ask = () =>
    (permission ??= canAsk(program)
      ? confirm(program, 'The passphrases of these files take more than two minutes of work. Continue?')
      : Promise.resolve(false))
  return {
    ...engine,
    scrypt: async (work) => {
      spent += 2 ** work.logN
      if (spent > budget && !(await ask()))
        throw new EncryptionError(
          'work_factor_too_high',
          'the passphrases of these files take more than two minutes of work: choose fewer files with --file, or use a terminal, in which svc asks',
        )
      return engine.scrypt(work)
    },
  }
}
