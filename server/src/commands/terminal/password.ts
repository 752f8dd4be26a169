import { Refused } from '../../admin/import-error.ts'
import { linesOf } from '../../admin/lines.ts'
import { randomText, type Random } from '../../domain/ids.ts'
import { ask } from './ask.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'

/** Where a password comes from; never from an argument, which all users of a machine can see. */
export const passwordArguments = {
  'password-stdin': {
    type: 'boolean',
    description: 'Read the password from the first line of standard input',
  },
  'generate-password': {
    type: 'boolean',
    description: 'Make a password of 32 characters and print it, once',
  },
} as const

export type PasswordSource = 'ask' | 'stdin' | 'generate'

interface Given {
  readonly 'password-stdin'?: boolean | undefined
  readonly 'generate-password'?: boolean | undefined
}

/**
 * Where the options say that the password comes from.
 * @returns undefined when they say nothing
 * @throws UsageError when they say two things
 */
export function passwordSource(given: Given, asked = false): PasswordSource | undefined {
  const sources = [
    ...(asked ? (['ask'] as const) : []),
    ...(given['password-stdin'] === true ? (['stdin'] as const) : []),
    ...(given['generate-password'] === true ? (['generate'] as const) : []),
  ]
  if (sources.length > 1) throw new UsageError('a password comes from one place: choose one of the options')
  return sources[0]
}

/** @throws Refused, UsageError when there is nobody to ask */
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
    throw new UsageError(
      'there is no terminal to ask for the password: use --password-stdin or --generate-password',
    )
  const password = await ask(program, 'Password:', 'hidden')
  if ((await ask(program, 'Once more:', 'hidden')) !== password)
    throw new Refused('the passwords differ, nothing was done')
  return password
}

/** Bytes. No password is longer. */
const longestLine = 4096

async function firstLine({ input }: Program): Promise<string> {
  for await (const { text } of linesOf(input, longestLine)) return text.replace(/\r$/, '')
  throw new Refused('there is no password on standard input')
}
