import type { Source } from './completion-of.ts'
import type { Option } from './describe.ts'

/** An option as it is written: `--ttl`, `--expires`, `-t`. */
export const spellings = ({ name, aliases, short }: Option): string[] => [
  ...[name, ...aliases].map((longName) => `--${longName}`),
  ...(short === undefined ? [] : [`-${short}`]),
]

/** The names of the profiles in the configuration file. */
const profiles = String.raw`sh -c 'sed -n "s/^\[profiles\.\([^].]*\)\]$/\1/p" "${'$'}{SVC_CONFIG:-${'$'}{XDG_CONFIG_HOME:-$HOME/.config}/svc/config.toml}"'`

const commands: Readonly<Record<Source, string>> = {
  links: 'svc ls --quiet',
  requests: 'svc request ls --quiet',
  names: 'svc keys ls --quiet',
  profiles,
}

/** The command whose lines are the words of a source, for any shell. */
export const commandFor = (source: Source): string => commands[source]
