import { defineCommand, type ArgsDef } from 'citty'
import { completions } from '../../documentation/completions.ts'
import { shells } from '../../documentation/shells.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Commands } from '../../program/command.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  shell: { type: 'positional', required: true, description: `One of ${shells.join(', ')}` },
} as const satisfies ArgsDef

export const completion = (program: Program, commands: Commands) =>
  defineCommand({
    meta: {
      name: 'completion',
      description: 'Print a shell completion script: source <(svc completion bash)',
    },
    args: argsDef,
    async run({ args }) {
      const shell = shells.find((name) => name === args.shell)
      if (shell === undefined) throw usageFailure(`${args.shell} is not one of ${shells.join(', ')}`)
      program.print(await completions(commands, program, shell))
    },
  })
