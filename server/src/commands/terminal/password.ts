import { CommandError } from '../../domain/command-error.ts'
import { linesOf } from '../../export/lines.ts'
import { randomText, type Random } from '../../domain/ids.ts'
import { ask } from './ask.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

/** Sources of a password. Arguments are none: all users of a machine can see them. */
export const passwordArguments = {
  'password-stdin': {
    type: 'boolean',
    description: 'Read the password from the first line of standard input',
  },
  'generate-password': {
    type: 'boolean',
    description: 'Generate a password of 32 characters and print it once',
  },
} as const

export type PasswordSource = 'ask' | 'stdin' | 'generate'

interface PasswordOptions {
  readonly 'password-stdin'?: boolean | undefined
  readonly 'generate-password'?: boolean | undefined
}

/**
 * The source of the password that the options choose.
 * @returns undefined when no option names a source
 * @throws UsageError when two options name one
 */
export function passwordSource(options: PasswordOptions, ask = false): PasswordSource | undefined {
  const sources = [
    ...(ask ? (['ask'] as const) : []),
    ...(options['password-stdin'] === true ? (['stdin'] as const) : []),
    ...(options['generate-password'] === true ? (['generate'] as const) : []),
  ]
  if (sources.length > 1) throw new UsageError('use only one of the password options')
  return sources[0]
}

/** @throws CommandError, UsageError when there is no terminal */
export function getPassword(program: Program, source: PasswordSource, random: Random): Promise<string> {
  switch (source) {
    case 'ask':
      return askTwice(program)
    case 'stdin':
      return firstLine(program)
    case 'generate':
      return Promise.resolve(randomText(random, generatedLength))
  }
}

const generatedLength = 32

async function askTwice(program: Program): Promise<string> {
  if (program.input.isTTY !== true)
    throw new UsageError('a password prompt needs a terminal: use --password-stdin or --generate-password')
  const password = await ask(program, 'Password:', 'hidden')
  if ((await ask(program, 'Repeat the password:', 'hidden')) !== password)
    throw new CommandError('the passwords differ, nothing was changed')
  return password
}

/** Bytes. Every password is shorter. */
const maxLineBytes = 4096

async function firstLine({ input }: Program): Promise<string> {
  for await (const { text } of linesOf(input, maxLineBytes)) return text.replace(/\r$/, '')
  throw new CommandError('standard input has no password')
}
