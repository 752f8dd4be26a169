import type { ArgsDef } from 'citty'

type Argument = ArgsDef[string]

const aliasesOf = (argument: Argument): readonly string[] =>
  'alias' in argument ? [argument.alias ?? []].flat() : []

/** The short name of an option: `t` for `-t`. */
export const shortName = (argument: Argument): string | undefined =>
  aliasesOf(argument).find((name) => name.length === 1)

/** Further long names of an option: `expires` for `--ttl`. */
export const longAliases = (argument: Argument): readonly string[] =>
  aliasesOf(argument).filter((name) => name.length > 1)

/** The long names of all options, with their aliases. */
export const longNames = (argsDef: ArgsDef): readonly string[] =>
  Object.entries(argsDef).flatMap(([name, argument]) =>
    argument.type === 'positional' ? [] : [name, ...longAliases(argument)],
  )

/** The same arguments with `--ttl` instead of its alias `--expires`. */
export function withoutLongAliases(argsDef: ArgsDef, rawArgs: readonly string[]): readonly string[] {
  const namesByAlias = new Map<string, string>(
    Object.entries(argsDef).flatMap(([name, argument]) =>
      longAliases(argument).map((alias) => [`--${alias}`, `--${name}`]),
    ),
  )
  const end = rawArgs.indexOf('--')
  return rawArgs.map((argument, index) => {
    const [option = ''] = argument.split('=', 1)
    const name = end !== -1 && index > end ? undefined : namesByAlias.get(option)
    return name === undefined ? argument : name + argument.slice(option.length)
  })
}
