import { shellWord } from '@svc/terminal'
import { defaultCommand } from '../program/command.ts'
import { rulesOf, type Completion } from './completion-of.ts'
import { commandFor, spellings } from './completion-words.ts'
import type { CommandDescription, Option } from './describe.ts'

/** Without another word, fish offers files for each value. */
function completionFlags(completion: Completion, names: readonly string[]): string {
  if (completion === 'files') return ''
  const words = completion === 'commands' ? names : completion
  if (typeof words === 'string') return ` -f -a ${shellWord(`(${commandFor(words)} 2> /dev/null)`)}`
  return ` -f${words.length === 0 ? '' : ` -a ${shellWord(words.join(' '))}`}`
}

/** The completion script of fish. */
export function fishCompletion(all: readonly CommandDescription[]): string {
  const names = all.map(({ name }) => name)
  const valued = all.flatMap(({ name, options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .flatMap((option) => spellings(option).map((word) => `${name}:${word}`)),
  )
  const optionLine = (command: string) => (option: Option) => {
    const short = option.short === undefined ? '' : ` -s ${option.short}`
    const long = [option.name, ...option.aliases].map((name) => ` -l ${name}`).join('')
    // The keys of a person may also be in a file.
    const flags = completionFlags(option.completion, names).replace(
      option.name === 'recipient' ? ' -f' : /^$/,
      '',
    )
    const value = option.value === undefined ? '' : ` -r${flags}`
    return `complete -c svc -n '__svc_at ${command}'${short}${long}${value} -d ${shellWord(option.description)}`
  }
  const lines = all.flatMap(({ name, description, options }) => [
    `complete -c svc -n __svc_is_first -a ${name} -d ${shellWord(description)}`,
    ...rulesOf(name)
      .filter(({ completion }) => completion !== 'files')
      .map(({ at, isVariadic, first, completion }) => {
        const place = [String(at) + (isVariadic ? '+' : ''), ...(first === undefined ? [] : [first])].join(
          ' ',
        )
        return `complete -c svc -n '__svc_at ${name} ${place}'${completionFlags(completion, names)}`
      }),
    ...options.map(optionLine(name)),
  ])
  return `# The command, and the words before the cursor that are neither options nor their values.
function __svc_words
    set -l command ${defaultCommand}
    set -l is_value 0
    set -l count 0
    for word in (commandline -opc)[2..]
        if test $is_value = 1
            set is_value 0
        else if string match -q -- '-*' $word
            contains -- "$command:$word" ${valued.join(' ')}; and set is_value 1
        else
            if test $count = 0
                if contains -- $word ${names.join(' ')}
                    set command $word
                else
                    echo ${defaultCommand}
                end
            end
            set count (math $count + 1)
            printf '%s\\n' $word
        end
    end
    test $count = 0; and echo ${defaultCommand}
end
function __svc_is_first
    test "$(__svc_words)" = ${defaultCommand}; and not contains -- ${defaultCommand} (commandline -opc)
end
# Whether the cursor is in a command, at a place of its words (N, or N+ for all from N on), after a first word.
function __svc_at
    set -l words (__svc_words)
    test "$words[1]" = "$argv[1]"; or return 1
    set -l at (math (count $words) - 1)
    if set -q argv[2]
        if string match -q '*+' -- $argv[2]
            test $at -ge (string replace + '' -- $argv[2]); or return 1
        else
            test $at = $argv[2]; or return 1
        end
    end
    set -q argv[3]; or return 0
    test "$words[2]" = "$argv[3]"
end
${lines.join('\n')}`
}
