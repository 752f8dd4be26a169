import { parseArgs } from 'node:util'
import type { ArgsDef } from 'citty'
import { usageFailure } from '../errors/failure.ts'
import { closestWord } from './closest-word.ts'
import { longNames, shortName } from './option-names.ts'

/** Maximum number of positional arguments of a command. One whose hint ends in `…` takes all that are left. */
function maxPositionals(known: ArgsDef): number {
  const positionals = Object.values(known).filter(({ type }) => type === 'positional')
  return positionals.some(({ valueHint }) => valueHint === '…') ? Infinity : positionals.length
}

function optionsOf(known: ArgsDef) {
  const options = Object.entries(known)
    .filter(([, { type }]) => type !== 'positional')
    .map(([name, argument]) => {
      const short = shortName(argument)
      const type = argument.type === 'boolean' ? ('boolean' as const) : ('string' as const)
      return [name, { type, multiple: true, ...(short !== undefined && { short }) }] as const
    })
  return Object.fromEntries(options)
}

/** @param option as it was written, `-t` or `--ttl` */
function missingValue(known: ArgsDef, option: string, given: readonly string[]): string {
  const isMeant = (name: string, argument: ArgsDef[string]) =>
    option === `--${name}` || option === `-${String(shortName(argument))}`
  const [long = option] = Object.entries(known).flatMap(([name, argument]) =>
    isMeant(name, argument) ? [`--${name}`] : [],
  )
  const next = given[given.indexOf(option) + 1]
  if (!given.includes(option) || next === undefined) return `${option} needs a value`
  return `${option} needs a value; one that begins with a hyphen is written ${long}=${next}`
}

export interface Advice {
  /** Whether there is a file of that name. */
  readonly isFile?: (word: string) => boolean
  /** What to say about an option that the command lacks, by its long name. */
  readonly elsewhere?: (option: string) => string | undefined
}

/** The message of Node's parser, with the advice of svc instead of the original advice. */
function reason(known: ArgsDef, given: readonly string[], { elsewhere }: Advice, error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [words = ''] = error.message.split(/\. |\n/)
  const [, valueless] =
    /^Option '(?:-\w, )?(-[^' ]+)[^']*' argument (?:is ambiguous|missing)/.exec(words) ?? []
  if (valueless !== undefined) return missingValue(known, valueless, given)
  const [, dashes = '', unknown = ''] = /^Unknown option '(--?)(?:no-)?([^']+)'/.exec(words) ?? []
  if (dashes === '') return words
  if (dashes === '-') return `unknown option -${unknown}`
  const other = elsewhere?.(unknown)
  if (other !== undefined) return `unknown option --${unknown}: ${other}`
  const meant = closestWord(unknown, longNames(known))
  if (meant === undefined) return `unknown option --${unknown}`
  // As the help lists a switch that is on by default.
  const no = 'negativeDescription' in (known[meant] ?? {}) ? 'no-' : ''
  return `unknown option --${unknown}; did you mean --${no}${meant}?`
}

function parse(known: ArgsDef, given: readonly string[], advice: Advice = {}) {
  try {
    return parseArgs({
      args: [...given],
      options: optionsOf(known),
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    const file = given.find((word) => word.startsWith('-') && advice.isFile?.(word))
    const asFile = file === undefined ? '' : `; to use the file, write ./${file}`
    throw usageFailure(`${reason(known, given, advice, error)}${asFile}`, error)
  }
}

/**
 * Checks that a command line has only arguments of its command, so that a typo does not fall back to a default.
 * @throws Failure
 */
export function checkArguments(known: ArgsDef, given: readonly string[], advice?: Advice): void {
  const surplus = parse(known, given, advice).positionals.slice(maxPositionals(known))
  if (surplus.length > 0) throw usageFailure(`unexpected: ${surplus.join(' ')}`)
}

/** Whether a switch is on, even if other arguments are invalid. */
export function isOn(known: ArgsDef, given: readonly string[], name: string): boolean {
  const options = optionsOf(known)
  return name in options && parseArgs({ args: [...given], options, strict: false }).values[name] !== undefined
}

/** All values of an option that may be given several times. */
export function everyValue(known: ArgsDef, given: readonly string[], name: string): readonly string[] {
  const values: readonly unknown[] = parse(known, given).values[name] ?? []
  return values.filter((value) => typeof value === 'string')
}

/** Long names of the options of a checked line, `no-…` for a switch that is off. */
export function givenOptions(known: ArgsDef, given: readonly string[]): readonly string[] {
  const { tokens } = parseArgs({
    args: [...given],
    options: optionsOf(known),
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  })
  return tokens.flatMap((token) =>
    token.kind !== 'option' ? [] : [token.rawName === `--no-${token.name}` ? `no-${token.name}` : token.name],
  )
}
