import { stripVTControlCharacters } from 'node:util'
import { renderUsage, runCommand, type ArgsDef, type CommandDef } from 'citty'
import { printable } from '@svc/terminal'
import { isDefect } from '@svc/terminal/process'
import { CommandError } from '../domain/command-error.ts'
import { ConfigError } from '../config/sources/problems.ts'
import { version } from '../core/status/describe-version.ts'
import { ServiceError } from '../domain/errors.ts'
import { DatabaseError } from '../metadata/dialects/errors.ts'
import type { Program } from './base/program.ts'
import { outlines } from './base/descriptions.ts'
import { resolveLazy } from './base/resolve-lazy.ts'
import { checkArguments } from './strict-arguments.ts'
import { svcd } from './svcd.ts'
import { explainSystemError } from './base/system-errors.ts'
import { damageAdvice, isDamage } from '../metadata/damage.ts'
import { UsageError } from './base/usage-error.ts'

/** A command that was looked up by its names. */
interface FoundCommand {
  readonly command: CommandDef
  /** All its names, `svcd` first. */
  readonly names: readonly string[]
  /** The arguments after the names. */
  readonly rest: readonly string[]
}

/**
 * Runs a command line of the server. The exit status of the process is 0 on success, 1 when the command fails (with a
 * message), and 2 when the command line or the configuration is invalid.
 */
export async function run(program: Program, commandLine: readonly string[]): Promise<void> {
  const found = await find({ command: svcd(program), names: ['svcd'], rest: commandLine })
  const options = found.rest.slice(0, found.rest.includes('--') ? found.rest.indexOf('--') : undefined)
  if (options.includes('--help') || options.includes('-h')) {
    program.print(await usageOf(program, found))
    return
  }
  if (found.names.length === 1 && found.rest[0] === '--version') {
    program.print(version)
    return
  }
  try {
    await runFound(program, found)
  } catch (error) {
    program.exit(reportError(program, error, found.names))
  }
}

async function find(found: FoundCommand): Promise<FoundCommand> {
  const [name = '', ...rest] = found.rest
  const commands = await resolveLazy(found.command.subCommands)
  if (commands === undefined || !Object.hasOwn(commands, name)) return found
  const command = await resolveLazy(commands[name])
  return command === undefined ? found : find({ command, names: [...found.names, name], rest })
}

async function usageOf({ output }: Program, { command, names }: FoundCommand): Promise<string> {
  const parent = { meta: { name: names.slice(0, -1).join(' ') } }
  const shown = names.length === 1 ? { ...command, subCommands: outlines() } : command
  const usage = (await renderUsage(shown, parent)).replace(/ +$/gm, '')
  return output.isTTY === true ? usage : stripVTControlCharacters(usage)
}

async function runFound(program: Program, found: FoundCommand): Promise<void> {
  const { command, rest, names } = found
  if (command.subCommands !== undefined) {
    const [name] = rest
    if (name !== undefined) throw new UsageError(`there is no command ${[...names, name].join(' ')}`)
    program.printToStderr(stripVTControlCharacters(await usageOf(program, found)))
    throw new UsageError('a command is missing')
  }
  checkArguments((await resolveLazy(command.args)) ?? ({} satisfies ArgsDef), rest)
  await runCommand(command, { rawArgs: [...rest] })
}

/**
 * Prints why a command failed.
 * @returns the exit status
 */
function reportError(program: Program, error: unknown, names: readonly string[]): 1 | 2 {
  if (error instanceof ConfigError) {
    program.printToStderr(error.message)
    return 2
  }
  // The argument parser does not export its error class, only its name.
  if (error instanceof UsageError || (error instanceof Error && error.name === 'CLIError')) {
    program.printToStderr(
      `${printable(stripVTControlCharacters(error.message))} (see ${names.join(' ')} --help)`,
    )
    return 2
  }
  program.printToStderr(isDefect(error) ? String(error.stack) : printable(reasons(error).join(': ')))
  return 1
}

/** @returns undefined for errors that are not about a damaged database */
const explainDamage = (error: Error): string | undefined =>
  isDamage(error) ? `${error.message}: ${damageAdvice}` : undefined

/** The messages of an error and of its causes. The message of a `ServiceError` needs no cause. */
function reasons(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const isSelfExplanatory = error instanceof ServiceError && !(error instanceof DatabaseError)
  if (error instanceof CommandError || isSelfExplanatory) return [error.message]
  const message = explainSystemError(error) ?? explainDamage(error) ?? error.message
  return error.cause === undefined ? [message] : [message, ...reasons(error.cause)]
}
