import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { bashCompletion } from './completion-bash.ts'
import { fishCompletion } from './completion-fish.ts'
import { zshCompletion } from './completion-zsh.ts'
import { describeAll } from './describe.ts'
import type { Shell } from './shells.ts'

/** The completion script of a shell. */
export async function completions(commands: Commands, program: Program, shell: Shell): Promise<string> {
  const all = await describeAll(commands, program)
  switch (shell) {
    case 'bash':
      return bashCompletion(all)
    case 'zsh':
      return zshCompletion(all)
    case 'fish':
      return fishCompletion(all)
  }
}
