import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startAtTerminal } from './terminal.ts'

/**
 * Completes words in zsh, which does so only while it edits a line at a terminal.
 * @param directory the working directory, which gets the files of zsh
 * @param script the completion script
 * @returns the completions of each line
 */
export async function zshCompletions(
  directory: string,
  environment: Readonly<Record<string, string>>,
  script: string,
  lines: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const home = join(directory, '.zsh')
  const found = `${home}-found`
  await writeFile(`${home}-script`, script)
  await writeFile(
    join(directory, '.zshrc'),
    `autoload -Uz compinit
compinit -u -D
source '${home}-script'
zstyle ':completion:*' completer _complete
LISTMAX=9999 PROMPT='ready> '
bindkey '^T' list-choices
# Notes what is offered. The calls with one of these options only filter words.
compadd() {
  if [[ " $* " != *' -'(O|A|D)' '* ]]; then
    local -a noted
    builtin compadd -O noted "$@"
    print -rl -- $noted >> '${found}'
  fi
  builtin compadd "$@"
}
precmd() { print -- '@@' >> '${found}' }
`,
  )
  const [list, clear] = ['\x14', '\x15']
  const keys = lines.map((line) => `${line}${list}${clear}\r`)
  await startAtTerminal(
    { directory, environment: { ...environment, ZDOTDIR: directory } },
    ['zsh', '-d', '-i'],
    {
      answers: [['ready> ', `${keys.join('')}exit\r`]],
    },
  ).ended
  const [, ...results] = (await readFile(found, 'utf8')).split('@@\n')
  return new Map(
    lines.map((line, at) => [
      line,
      (results[at] ?? '')
        .split('\n')
        .filter((word) => word !== '')
        .sort(),
    ]),
  )
}
