import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { usageFailure } from '../errors/failure.ts'
import { closestWord } from './closest-word.ts'
import { longNames, shortName } from './option-names.ts'

/** Maximum number of positional arguments of a command. One with the hint `…` takes all that are left. */
function maxPositionals(argsDef: ArgsDef): number {
  const positionals = Object.values(argsDef).filter(({ type }) => type === 'positional')
  return positionals.some(({ valueHint }) => valueHint === '…') ? Infinity : positionals.length
}

function parserOptions(argsDef: ArgsDef) {
  const options = Object.entries(argsDef)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, argument]) => {
      const short = shortName(argument)
      const type = argument.type === 'boolean' ? ('boolean' as const) : ('string' as const)
      return [name, { type, multiple: true, ...(short !== undefined && { short }) }] as const
    })
  return Object.fromEntries(options)
}

/** @param option the option as typed, `-t` or `--ttl` */
function missingValueMessage(argsDef: ArgsDef, option: string, rawArgs: readonly string[]): string {
  const isThisOption = (name: string, argument: ArgsDef[string]) =>
    option === `--${name}` || option === `-${String(shortName(argument))}`
  const [longOption = option] = Object.entries(argsDef).flatMap(([name, argument]) =>
    isThisOption(name, argument) ? [`--${name}`] : [],
  )
  const next = rawArgs[rawArgs.indexOf(option) + 1]
  if (!rawArgs.includes(option) || next === undefined) return `${option} needs a value`
  return `${option} needs a value; one that begins with a hyphen is written ${longOption}=${next}`
}

/** What improves the message of an error. */
export interface Hints {
  /** Whether there is a file of that name. */
  readonly isFile?: (word: string) => boolean
  /** What to say about an option that the command lacks, by its long name. */
  readonly optionHint?: (option: string) => string | undefined
}

/** The message of Node's parser, with the hints of svc instead of those of Node. */
function parseErrorMessage(
  argsDef: ArgsDef,
  rawArgs: readonly string[],
  { optionHint }: Hints,
  error: unknown,
): string {
  if (!(error instanceof Error)) return String(error)
  const [message = ''] = error.message.split(/\. |\n/)
  const [, optionWithoutValue] =
    /^Option '(?:-\w, )?(-[^' ]+)[^']*' argument (?:is ambiguous|missing)/.exec(message) ?? []
  if (optionWithoutValue !== undefined) return missingValueMessage(argsDef, optionWithoutValue, rawArgs)
  const [, dashes = '', unknown = ''] = /^Unknown option '(--?)(?:no-)?([^']+)'/.exec(message) ?? []
  if (dashes === '') return message
  if (dashes === '-') return `unknown option -${unknown}`
  const hint = optionHint?.(unknown)
  if (hint !== undefined) return `unknown option --${unknown}: ${hint}`
  const suggestion = closestWord(unknown, longNames(argsDef))
  if (suggestion === undefined) return `unknown option --${unknown}`
  // As the help lists a switch that is on by default.
  const prefix = 'negativeDescription' in (argsDef[suggestion] ?? {}) ? 'no-' : ''
  return `unknown option --${unknown}; did you mean --${prefix}${suggestion}?`
}

function parse(argsDef: ArgsDef, rawArgs: readonly string[], hints: Hints = {}) {
  try {
    return parseArgs({
      args: [...rawArgs],
      options: parserOptions(argsDef),
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    const file = rawArgs.find((word) => word.startsWith('-') && hints.isFile?.(word))
    const fileHint = file === undefined ? '' : `; to use the file, write ./${file}`
    throw usageFailure(`${parseErrorMessage(argsDef, rawArgs, hints, error)}${fileHint}`, error)
  }
}

/**
 * Checks that a command line has only arguments of its command, so that a typo does not fall back to a default.
 * @throws Failure
 */
export function checkArguments(argsDef: ArgsDef, rawArgs: readonly string[], hints?: Hints): void {
  const surplus = parse(argsDef, rawArgs, hints).positionals.slice(maxPositionals(argsDef))
  if (surplus.length > 0) throw usageFailure(`unexpected: ${surplus.join(' ')}`)
}

/** Whether a switch is on, even if other arguments are invalid. */
export function isSwitchOn(argsDef: ArgsDef, rawArgs: readonly string[], name: string): boolean {
  const options = parserOptions(argsDef)
  return (
    name in options && parseArgs({ args: [...rawArgs], options, strict: false }).values[name] !== undefined
  )
}

/** All values of an option that may be repeated. */
export function allValues(argsDef: ArgsDef, rawArgs: readonly string[], name: string): readonly string[] {
  const values: readonly unknown[] = parse(argsDef, rawArgs).values[name] ?? []
  return values.filter((value) => typeof value === 'string')
}

/** Long names of the options in checked arguments, `no-…` for a switch that is off. */
export function usedOptionNames(argsDef: ArgsDef, rawArgs: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({
    args: [...rawArgs],
    options: parserOptions(argsDef),
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  })
  return tokens.flatMap((token) =>
    token.kind !== 'option' ? [] : [token.rawName === `--no-${token.name}` ? `no-${token.name}` : token.name],
  )
}
