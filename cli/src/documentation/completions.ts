import { defaultCommand, type Commands } from '../program/command.ts'
import { shellWord } from '@svc/terminal'
import type { Program } from '../program/program.ts'
import type { Completion } from './completion-of.ts'
import { describeAll, type Described, type Option } from './describe.ts'
import type { Shell } from './shells.ts'

const words = (option: Option) => [
  `--${option.name}`,
  ...(option.short === undefined ? [] : [`-${option.short}`]),
]

const optionsOf = ({ options }: Described) => options.flatMap(words).join(' ')

/** Completions of the first positional argument. */
const positionalOf = ({ positionals: [first] }: Described): Completion => first?.completion ?? []

const bashOffer = (completion: Completion) =>
  completion === 'files'
    ? '_svc_files'
    : completion === 'links'
      ? '_svc_links'
      : `_svc_words '${completion.join(' ')}'`

function bash(all: readonly Described[]): string {
  const names = all.map(({ name }) => name)
  const values = (command: Described) =>
    command.options
      .filter(({ value }) => value !== undefined)
      .map((option) => {
        const before = words(option).map((word) => `${command.name}:${word}`)
        return `    ${before.join('|')}) ${bashOffer(option.completion)}; return ;;`
      })
  const others = (command: Described) =>
    `    ${command.name}:-*) _svc_words '${optionsOf(command)}' ;;\n    ${command.name}:*) ${bashOffer(positionalOf(command))} ;;`
  // Bash takes --archive=zip for three words. A name of a file may have spaces.
  return `_svc_words() { COMPREPLY+=($(compgen -W "$1" -- "$word")); }
_svc_files() { local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- "$word")); }
_svc_links() {
  local IFS=$'\\n' whole="\${COMP_LINE:0:COMP_POINT}" link
  whole="\${whole##* }"
  for link in $(svc ls --quiet 2> /dev/null); do
    [[ $link == "$whole"* ]] && COMPREPLY+=("\${link#"\${whole%"$word"}"}")
  done
}
_svc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  COMPREPLY=()
  [[ $word == = ]] && word=''
  [[ $before == = ]] && before="\${COMP_WORDS[COMP_CWORD-2]}"
  case "$command" in
    ${names.join('|')}) ;;
    *) command=${defaultCommand} ;;
  esac
  case "$command:$before" in
${all.flatMap(values).join('\n')}
  esac
  case "$command:$word" in
${all.map(others).join('\n')}
  esac
  ((COMP_CWORD == 1)) && _svc_words '${names.join(' ')}'
}
complete -o filenames -F _svc svc`
}

/** Characters of a description that have a meaning for zsh. */
const zshText = (text: string) => text.replaceAll(/[\\[\]:]/g, '\\$&')

const zshOffer = (completion: Completion) =>
  completion === 'files'
    ? '_files'
    : completion === 'links'
      ? '_svc_links'
      : completion.length === 0
        ? ' '
        : `(${completion.join(' ')})`

function zsh(all: readonly Described[]): string {
  const option = (one: Option) =>
    words(one)
      .map((word) => {
        const value = one.value === undefined ? '' : `:${zshText(one.value)}:${zshOffer(one.completion)}`
        return shellWord(`*${word}[${zshText(one.description)}]${value}`)
      })
      .join(' ')
  const spec = (command: Described) =>
    [...command.options.map(option), shellWord(`*: :${zshOffer(positionalOf(command))}`)].join(' ')
  const cases = all.map((command) => `    ${command.name}) _arguments ${spec(command)} ;;`)
  const described = all.map(({ name, description }) => shellWord(`${name}:${zshText(description)}`))
  return `#compdef svc
_svc_links() {
  local -a links
  links=(\${(f)"$(svc ls --quiet 2> /dev/null)"})
  compadd -a links
}
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

/** Without another word, fish offers files for each value. */
const fishOffer = (completion: Completion) =>
  completion === 'files'
    ? ''
    : completion === 'links'
      ? " -f -a '(svc ls --quiet 2> /dev/null)'"
      : ` -f${completion.length === 0 ? '' : ` -a ${shellWord(completion.join(' '))}`}`

function fish(all: readonly Described[]): string {
  const lines = all.flatMap((command) => {
    const within = `complete -c svc -n '__fish_seen_subcommand_from ${command.name}'`
    return [
      `complete -c svc -n __fish_use_subcommand -a ${command.name} -d ${shellWord(command.description)}`,
      `${within}${fishOffer(positionalOf(command))}`,
      ...command.options.map((one) => {
        const short = one.short === undefined ? '' : ` -s ${one.short}`
        const value = one.value === undefined ? '' : ` -r${fishOffer(one.completion)}`
        return `${within}${short} -l ${one.name}${value} -d ${shellWord(one.description)}`
      }),
    ]
  })
  return lines.join('\n')
}

function defaultOf(all: readonly Described[]): Described {
  const found = all.find(({ name }) => name === defaultCommand)
  if (found === undefined) throw new RangeError('the default command is not there')
  return found
}

/** The completion script of a shell. */
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
