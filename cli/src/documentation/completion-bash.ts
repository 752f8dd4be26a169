import { defaultCommand } from '../program/command.ts'
import { rulesOf, sources, type Completion, type Rule, type Source } from './completion-of.ts'
import type { CommandDescription, Option } from './describe.ts'
import { commandFor, spellings } from './completion-words.ts'

const isSource = (completion: Completion): completion is Source =>
  sources.some((source) => source === completion)

function completionCommand(completion: Completion, commands: string): string {
  if (completion === 'files') return '_svc_files'
  if (completion === 'commands') return `_svc_words '${commands}'`
  if (isSource(completion)) return `_svc_lines ${commandFor(completion)}`
  return `_svc_words '${completion.join(' ')}'`
}

const pattern = (command: string, { at, isVariadic, first }: Rule) =>
  `${command}:${isVariadic ? '*' : String(at)}:${first ?? '*'}`

/** The completion script of bash. */
export function bashCompletion(all: readonly CommandDescription[]): string {
  const names = all.map(({ name }) => name)
  const commands = names.join(' ')
  const valued = (command: CommandDescription) => command.options.filter(({ value }) => value !== undefined)
  const patternsOf =
    ({ name }: CommandDescription) =>
    (option: Option) =>
      spellings(option).map((word) => `${name}:${word}`)
  const values = (command: CommandDescription) =>
    valued(command).map((option) => {
      // The keys of a person may also be in a file.
      const more = option.name === 'recipient' ? '; _svc_files' : ''
      return `    ${patternsOf(command)(option).join('|')}) ${completionCommand(option.completion, commands)}${more}; return ;;`
    })
  const options = (command: CommandDescription) =>
    `    ${command.name}:-*) _svc_words '${command.options.flatMap(spellings).join(' ')}'; return ;;`
  const positionals = ({ name }: CommandDescription) =>
    rulesOf(name).map(
      (rule) => `    ${pattern(name, rule)}) ${completionCommand(rule.completion, commands)} ;;`,
    )
  // Bash takes --archive=zip for three words. A name of a file may have spaces.
  return `_svc_words() { COMPREPLY+=($(compgen -W "$1" -- "$word")); }
_svc_files() { local IFS=$'\\n'; COMPREPLY+=($(compgen -f -- "$word")); }
_svc_lines() {
  local IFS=$'\\n' whole="\${COMP_LINE:0:COMP_POINT}" line
  whole="\${whole##* }"
  for line in $("$@" 2> /dev/null); do
    [[ $line == "$whole"* ]] && COMPREPLY+=("\${line#"\${whole%"$word"}"}")
  done
}
_svc_takes_value() {
  case "$1" in
    ${all.flatMap((command) => valued(command).flatMap(patternsOf(command))).join('|')}) return 0 ;;
  esac
  return 1
}
_svc() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local index=2 position=0 first='' last='' one
  COMPREPLY=()
  [[ $word == = ]] && word=''
  [[ $before == = ]] && before="\${COMP_WORDS[COMP_CWORD-2]}"
  case "$command" in
    ${names.join('|')}) ((COMP_CWORD == 1)) && command=${defaultCommand} index=1 ;;
    *) command=${defaultCommand} index=1 ;;
  esac
  case "$command:$before" in
${all.flatMap(values).join('\n')}
  esac
  case "$command:$word" in
${all.map(options).join('\n')}
  esac
  for ((; index < COMP_CWORD; index++)); do
    one="\${COMP_WORDS[index]}"
    [[ $one == = ]] && continue
    if [[ $one != -* ]] && ! _svc_takes_value "$command:$last"; then
      ((position == 0)) && first="$one"
      position=$((position + 1))
    fi
    last="$one"
  done
  case "$command:$position:$first" in
${all.flatMap(positionals).join('\n')}
  esac
  ((COMP_CWORD == 1)) && _svc_words '${commands}'
}
complete -o filenames -F _svc svc`
}
