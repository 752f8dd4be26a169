import { shellWord } from '@svc/terminal'
import { defaultCommand } from '../program/command.ts'
import { rulesOf, sources, type Completion, type Rule } from './completion-of.ts'
import { commandFor, spellings } from './completion-words.ts'
import type { CommandDescription, Option } from './describe.ts'

/** Characters of a description that have a meaning for zsh. */
const text = (words: string) => words.replaceAll(/[\\[\]:]/g, '\\$&')

function completionCommand(completion: Completion): string {
  if (completion === 'files') return '_files'
  if (typeof completion === 'string') return `_svc_${completion}`
  return completion.length === 0 ? ' ' : `(${completion.join(' ')})`
}

/** The rules of the second word, where it depends on the first one. */
const dependent = (command: string): readonly Rule[] =>
  rulesOf(command).filter(({ first }) => first !== undefined)

function optionSpec(option: Option): string {
  // The keys of a person may also be in a file.
  const action = option.name === 'recipient' ? '_svc_recipients' : completionCommand(option.completion)
  const value = option.value === undefined ? '' : `:${text(option.value)}:${action}`
  return spellings(option)
    .map((word) => shellWord(`*${word}[${text(option.description)}]${value}`))
    .join(' ')
}

/** @param before number of words before the first one of the command */
function specOf({ name, options }: CommandDescription, before: number): string {
  const positionals = rulesOf(name)
    .filter(({ first }) => first === undefined)
    .map(({ at, isVariadic, completion }) => {
      const action =
        at === 1 && dependent(name).length > 0 ? `_svc_after_${name}` : completionCommand(completion)
      return shellWord(`${isVariadic ? '*' : String(at + 1 + before)}: :${action}`)
    })
  const skipped = before === 0 || positionals.length === 1 ? [] : [shellWord('1: : ')]
  return [...options.map(optionSpec), ...skipped, ...positionals].join(' ')
}

const secondWord = (command: string): string[] =>
  dependent(command).length === 0
    ? []
    : [
        `_svc_after_${command}() {
  case $words[3] in
${dependent(command)
  .map(({ first = '', completion }) => {
    const run =
      typeof completion === 'string' ? completionCommand(completion) : `compadd ${completion.join(' ')}`
    return `    ${first}) ${run} ;;`
  })
  .join('\n')}
  esac
}`,
      ]

/** The completion script of zsh. */
export function zshCompletion(all: readonly CommandDescription[]): string {
  const cases = all.map((command) => `    ${command.name}) _arguments ${specOf(command, 1)} ;;`)
  const others = all
    .filter(({ name }) => name === defaultCommand)
    .map((command) => `    *) _arguments ${specOf(command, 0)} ;;`)
  const described = all.map(({ name, description }) => shellWord(`${name}:${text(description)}`))
  const lists = sources.map(
    (source) => `_svc_${source}() {
  local -a lines
  lines=(\${(f)"$(${commandFor(source)} 2> /dev/null)"})
  compadd -a lines
}`,
  )
  return `#compdef svc
${lists.join('\n')}
_svc_recipients() { _svc_names; _files; }
_svc_commands() {
  local -a commands
  commands=(${described.join(' ')})
  _describe command commands
}
${all.flatMap(({ name }) => secondWord(name)).join('\n')}
_svc() {
  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
    _svc_commands
    _files
    return
  fi
  case $words[2] in
${[...cases, ...others].join('\n')}
  esac
}
compdef _svc svc`
}
