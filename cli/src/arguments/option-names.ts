import type { ArgsDef } from 'citty'

type Argument = ArgsDef[string]

const otherNames = (argument: Argument): readonly string[] =>
  'alias' in argument ? [argument.alias ?? []].flat() : []

/** The letter of an option: `t` of `-t`. */
export const shortName = (argument: Argument): string | undefined =>
  otherNames(argument).find((name) => name.length === 1)

/** Further long names of an option. */
export const secondNames = (argument: Argument): readonly string[] =>
  otherNames(argument).filter((name) => name.length > 1)

/** The long names of all options. */
export const longNames = (known: ArgsDef): readonly string[] =>
  Object.entries(known).flatMap(([name, argument]) =>
    argument.type === 'positional' ? [] : [name, ...secondNames(argument)],
  )

/** A line with the first name of each option instead of its second ones. */
export function withFirstNames(known: ArgsDef, line: readonly string[]): readonly string[] {
  const firstNames = new Map<string, string>(
    Object.entries(known).flatMap(([name, argument]) =>
      secondNames(argument).map((second) => [`--${second}`, `--${name}`]),
    ),
  )
  const end = line.indexOf('--')
  return line.map((word, at) => {
    const [written = ''] = word.split('=', 1)
    const first = end !== -1 && at > end ? undefined : firstNames.get(written)
    return first === undefined ? word : first + word.slice(written.length)
  })
}
