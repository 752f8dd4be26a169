import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { exitCodes } from '../core/exit-codes.ts'
import { Failure } from '../core/failure.ts'
import type { Program } from '../core/program.ts'

/** Whether there is a person to ask: what is typed comes from a terminal, and what is asked goes to one. */
export const canAsk = ({ input, errors }: Program): boolean => input.isTTY === true && errors.isTTY === true

/** The question that was asked last: files come several at a time, and a person answers one question at a time. */
const last = new WeakMap<Program, Promise<unknown>>()

/**
 * Asks a person for a line, when all questions before are answered.
 * @param echo `hidden`: what is typed is not shown, and counts with the spaces around it
 * @throws Failure when the person gives no answer
 */
export function ask(program: Program, question: string, echo: 'shown' | 'hidden' = 'shown'): Promise<string> {
  const answer = (last.get(program) ?? Promise.resolve()).then(() => askNow(program, question, echo))
  last.set(
    program,
    answer.catch(() => undefined),
  )
  return answer
}

async function askNow(
  { input, errors, interrupted }: Program,
  question: string,
  echo: 'shown' | 'hidden',
): Promise<string> {
  if (interrupted.aborted) throw new Failure('no answer', exitCodes.interrupted)
  let silent = false
  const shown = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      if (!silent) errors.write(chunk)
      callback()
    },
  })
  const lines = createInterface({ input, output: shown, terminal: true })
  const closed = new Promise<never>((_, reject) => {
    const stop = () => {
      reject(new Failure('no answer', exitCodes.interrupted))
    }
    // Who is asked and presses Ctrl-C or Ctrl-D does not want to answer.
    lines.once('SIGINT', stop).once('close', stop)
    interrupted.addEventListener('abort', stop, { once: true })
  })
  try {
    const answered = lines.question(question)
    silent = echo === 'hidden'
    const answer = await Promise.race([answered, closed])
    return echo === 'hidden' ? answer : answer.trim()
  } finally {
    closed.catch(() => undefined)
    lines.close()
    if (silent) errors.write('\n')
  }
}

/** Whether a person says yes. */
export async function confirm(program: Program, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(program, `${question} [y/N] `))
}
