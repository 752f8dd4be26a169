import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { runCommand, type ArgsDef } from 'citty'
import { printable, printableJson } from '@svc/terminal'
import { isDefect } from '@svc/terminal/process'
import { leadingArgsDef } from './arguments/common-args.ts'
import { closestWord } from './arguments/closest-word.ts'
import { checkArguments, isSwitchOn } from './arguments/check-arguments.ts'
import { optionHint } from './arguments/option-hint.ts'
import { shortName, withoutLongAliases } from './arguments/option-names.ts'
import { exitCodes } from './errors/exit-codes.ts'
import { usageFailure } from './errors/failure.ts'
import { errorJson } from './errors/error-json.ts'
import { errorMessage } from './errors/error-message.ts'
import type { Program } from './program/program.ts'
import { exitStatus } from './errors/exit-status.ts'
import { defaultCommand, type AnyCommand } from './program/command.ts'
import { commands } from './commands.ts'
import { version } from './program/version.ts'

/** The command of a line, with its arguments. */
interface ParsedLine {
  readonly name: string
  /** Whether the line names it. */
  readonly named: boolean
  readonly rest: readonly string[]
}

/**
 * Runs a command line. The process ends with one of `exitCodes`; errors are reported on standard error.
 */
export async function run(program: Program, line: readonly string[]): Promise<void> {
  const found = find(line)
  const options = found.rest.slice(0, found.rest.includes('--') ? found.rest.indexOf('--') : undefined)
  try {
    if (!found.named && options.length === 1 && ['--version', '-V'].includes(options[0] ?? ''))
      program.print(version)
    else if (options.includes('--help') || options.includes('-h')) await help(program, found)
    else await runFound(program, found)
  } catch (error) {
    reportError(program, error, found)
    program.fail(program.interrupted.aborted ? exitCodes.interrupted : exitStatus(error))
  }
}

/** Keeps options before the name of a command. A line without a command sends files. */
function find(line: readonly string[]): ParsedLine {
  const before = leading(line)
  const [name = '', ...rest] = line.slice(before)
  if (Object.hasOwn(commands, name)) return { name, named: true, rest: [...line.slice(0, before), ...rest] }
  return { name: defaultCommand, named: false, rest: line }
}

/** Number of words at the beginning that are common options and their values. */
function leading(line: readonly string[]): number {
  let count = 0
  for (;;) {
    const word = line[count]
    const option = Object.entries(leadingArgsDef).find(([name, argument]) => {
      const short = shortName(argument)
      return word === `--${name}` || word?.startsWith(`--${name}=`) === true || word === `-${String(short)}`
    })
    if (word === undefined || option === undefined) return count
    const takesNext = option[1].type === 'string' && !word.includes('=')
    count += takesNext ? 2 : 1
  }
}

async function help(program: Program, found: ParsedLine): Promise<void> {
  const { helpText } = await import('./documentation/help.ts')
  program.print(await helpText(commands, program, found.named ? found.name : undefined))
}

async function runFound(program: Program, found: ParsedLine): Promise<void> {
  const command = await commands[found.name]?.(program)
  if (command === undefined) throw usageFailure('unknown command')
  const known = argumentsOf(command)
  const rest = withoutLongAliases(known, found.rest)
  try {
    checkCommandName(program, found)
    checkArguments(known, rest, {
      isFile: (word) => existsSync(resolve(program.directory, word)),
      optionHint: (option) => optionHint(found.name, option),
    })
    await runCommand(command, { rawArgs: [...rest] })
  } catch (error) {
    // After an interrupt no result is printed. A stream has already printed it.
    if (!program.interrupted.aborted && isSwitchOn(known, rest, 'json'))
      program.print(printableJson(errorJson(error)))
    throw error
  }
  if (found.name === defaultCommand) {
    const { remindOfUpdate: remind } = await import('./update/remind-of-update.ts')
    await remind(program)
  }
}

/**
 * A first word that is not a file is a mistyped or unknown command, so the files after it must not be sent. A single word that
 * resembles no command is a missing file.
 */
function checkCommandName({ directory }: Program, { named, rest }: ParsedLine): void {
  const [word = ''] = rest
  if (named || !/^[a-z]+$/.test(word) || existsSync(resolve(directory, word))) return
  const meant = closestWord(word, Object.keys(commands))
  if (meant === undefined && rest.slice(1).every((other) => other.startsWith('-'))) return
  const advice = meant === undefined ? '' : `; did you mean svc ${meant}?`
  throw usageFailure(`no file or command named ${word}${advice}`)
}

function argumentsOf({ args }: AnyCommand): ArgsDef {
  if (typeof args === 'function' || args instanceof Promise) throw new TypeError('arguments are data here')
  return (args ?? {}) as ArgsDef
}

function reportError(program: Program, error: unknown, { name, named, rest }: ParsedLine): void {
  if (program.interrupted.aborted) {
    program.printToStderr('interrupted')
    return
  }
  if (isDefect(error)) {
    program.printToStderr(String(error.stack))
    return
  }
  const words = printable(errorMessage(error))
  // Without the name of a command, a line with options is one of the default command.
  const about = named || rest.some((word) => word.startsWith('-')) ? `${name} ` : ''
  const help = exitStatus(error) === exitCodes.usage ? ` (see svc ${about}--help)` : ''
  program.printToStderr(`svc: ${words}${help}`)
}
