import { defaultCommand, type Commands } from '../command.ts'
import type { Program } from '../program.ts'
import { describeAll, type Described, type Option } from './describe.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

const words = (option: Option) => [
  `--${option.name}`,
  ...(option.short === undefined ? [] : [`-${option.short}`]),
]

const optionsOf = ({ options }: Described) => options.flatMap(words).join(' ')

function bash(all: readonly Described[]): string {
  const names = all.map(({ name }) => name).join(' ')
  const cases = all.map((command) => `    ${command.name}) options='${optionsOf(command)}' ;;`)
  return `_svc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" options
  case "$command" in
${cases.join('\n')}
    *) options='${optionsOf(defaultOf(all))}' ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
    ((COMP_CWORD == 1)) && COMPREPLY+=($(compgen -W '${names}' -- "$word"))
  fi
}
complete -o filenames -F _svc svc`
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** What zsh reads as its own syntax within a description. */
const zshText = (text: string) => text.replaceAll(/[\\[\]:]/g, '\\$&')

function zsh(all: readonly Described[]): string {
  const option = (one: Option) =>
    words(one)
      .map((word) => {
        const value = one.value === undefined ? '' : `:${zshText(one.value)}:_files`
        return quoted(`*${word}[${zshText(one.description)}]${value}`)
      })
      .join(' ')
  const spec = (command: Described) => [...command.options.map(option), "'*:file:_files'"].join(' ')
  const cases = all.map((command) => `    ${command.name}) _arguments ${spec(command)} ;;`)
  const described = all.map(({ name, description }) => quoted(`${name}:${zshText(description)}`))
  return `#compdef svc
_svc() {
  local -a commands
  commands=(${described.join(' ')})
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  case $words[2] in
${cases.join('\n')}
    *) _arguments ${spec(defaultOf(all))} ;;
  esac
}
compdef _svc svc`
}

function fish(all: readonly Described[]): string {
  const lines = all.flatMap(({ name, description, options }) => [
    `complete -c svc -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ...options.map((one) => {
      const short = one.short === undefined ? '' : ` -s ${one.short}`
      const value = one.value === undefined ? '' : ' -r'
      return `complete -c svc -n '__fish_seen_subcommand_from ${name}'${short} -l ${one.name}${value} -d ${quoted(one.description)}`
    }),
  ])
  return lines.join('\n')
}

function defaultOf(all: readonly Described[]): Described {
  const found = all.find(({ name }) => name === defaultCommand)
  if (found === undefined) throw new RangeError('the default command is not there')
  return found
}

/** What a shell reads to complete our command lines. */
export async function completions(commands: Commands, program: Program, shell: Shell): Promise<string> {
  const all = await describeAll(commands, program)
  switch (shell) {
    case 'bash':
      return bash(all)
    case 'zsh':
      return zsh(all)
    case 'fish':
      return fish(all)
  }
}
