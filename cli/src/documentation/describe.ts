import type { ArgsDef } from 'citty'
import { longAliases, shortName } from '../arguments/option-names.ts'
import type { Program } from '../program/program.ts'
import type { AnyCommand, Commands } from '../program/command.ts'
import { completionOf, type Completion } from './completion-of.ts'

export interface Option {
  readonly name: string
  /** Further long names. */
  readonly aliases: readonly string[]
  readonly short: string | undefined
  /** Placeholder of the value; undefined for a switch. */
  readonly value: string | undefined
  readonly description: string
  readonly completion: Completion
}

export interface Positional {
  /** `FILES…`, `[LINK]` */
  readonly usage: string
  readonly name: string
  readonly description: string
}

/** The description of a command for help, manual, documentation and completions. */
export interface CommandDescription {
  readonly name: string
  readonly description: string
  /** `svc get [OPTIONS] LINKS…` */
  readonly usage: string
  readonly positionals: readonly Positional[]
  readonly options: readonly Option[]
}

function positional(name: string, { required, valueHint, description }: ArgsDef[string]): Positional {
  const word = `${name.toUpperCase()}${valueHint === '…' ? '…' : ''}`
  return {
    name: name.toUpperCase(),
    usage: required === false ? `[${word}]` : word,
    description: description ?? '',
  }
}

function option(name: string, argument: ArgsDef[string]): Option {
  // A switch that is on by default is listed by the option that turns it off.
  if ('negativeDescription' in argument)
    return {
      name: `no-${name}`,
      aliases: [],
      short: undefined,
      value: undefined,
      description: argument.negativeDescription,
      completion: [],
    }
  return {
    name,
    aliases: longAliases(argument),
    short: shortName(argument),
    value: argument.type === 'boolean' ? undefined : (argument.valueHint ?? 'VALUE'),
    description: argument.description ?? '',
    completion: completionOf(name, argument.valueHint),
  }
}

function describe(name: string, { meta, args }: AnyCommand): CommandDescription {
  const definitions = Object.entries((args ?? {}) as ArgsDef)
  const positionals = definitions
    .filter(([, { type }]) => type === 'positional')
    .map(([called, argument]) => positional(called, argument))
  const options = definitions
    .filter(([, { type }]) => type !== 'positional')
    .map(([called, argument]) => option(called, argument))
  const { description = '' } = (meta ?? {}) as { readonly description?: string }
  const words = [
    'svc',
    name,
    ...(options.length > 0 ? ['[OPTIONS]'] : []),
    ...positionals.map(({ usage }) => usage),
  ]
  return { name, description, usage: words.join(' '), positionals, options }
}

export async function describeCommand(
  commands: Commands,
  program: Program,
  name: string,
): Promise<CommandDescription> {
  const load = commands[name]
  if (load === undefined) throw new RangeError(`unknown command ${name}`)
  return describe(name, await load(program))
}

/** All commands, in their order. */
export const describeAll = (commands: Commands, program: Program): Promise<CommandDescription[]> =>
  Promise.all(Object.keys(commands).map((name) => describeCommand(commands, program, name)))

/** `-o, --oneshot`, `-t, --ttl, --expires DURATION` */
export const optionUsage = ({ name, aliases, short, value }: Option): string => {
  const names = [
    ...(short === undefined ? [] : [`-${short}`]),
    ...[name, ...aliases].map((longName) => `--${longName}`),
  ]
  return `${names.join(', ')}${value === undefined ? '' : ` ${value}`}`
}
