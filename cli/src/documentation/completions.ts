import type { Commands } from '../program/command.ts'
import type { Program } from '../program/program.ts'
import { bash } from './completion-bash.ts'
import { fish } from './completion-fish.ts'
import { zsh } from './completion-zsh.ts'
import { describeAll } from './describe.ts'
import type { Shell } from './shells.ts'

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
