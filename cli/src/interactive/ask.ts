import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { exitCodes } from '../errors/exit-codes.ts'
import { Failure } from '../errors/failure.ts'
import type { Program } from '../program/program.ts'
import { statusLine } from './status-line.ts'

/** Whether input and questions use a terminal. */
export const canAsk = ({ input, errors }: Program): boolean => input.isTTY === true && errors.isTTY === true

/** The last question, because several transfers may ask, but the user answers one question at a time. */
const last = new WeakMap<Program, Promise<unknown>>()

/**
 * Asks the user for a line, after the answers to earlier questions.
 * @param echo `hidden`: typed text is not shown, and keeps surrounding spaces
 * @throws Failure without an answer
 */
export function ask(program: Program, question: string, echo: 'shown' | 'hidden' = 'shown'): Promise<string> {
  const answer = (last.get(program) ?? Promise.resolve()).then(() =>
    statusLine(program).whileEmpty(() => askNow(program, question, echo)),
  )
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
  const visibleOutput = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      if (!silent) errors.write(chunk)
      callback()
    },
  })
  const lines = createInterface({ input, output: visibleOutput, terminal: true })
  const closed = new Promise<never>((_, reject) => {
    const stop = () => {
      reject(new Failure('no answer', exitCodes.interrupted))
    }
    // Ctrl-C or Ctrl-D refuses the answer.
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

/** Whether the user confirms. */
export async function confirm(program: Program, question: string): Promise<boolean> {
  return /^y(?:es)?$/i.test(await ask(program, `${question} [y/N] `))
}
