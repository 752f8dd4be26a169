import { defineCommand, type ArgsDef } from 'citty'
import { nearest } from '../arguments/nearest.ts'
import type { Commands } from '../command.ts'
import { helpText } from '../documentation/help.ts'
import { usageFailure } from '../failure.ts'
import type { Program } from '../program.ts'

const args = {
  command: {
    type: 'positional',
    required: false,
    description: 'Name of a command (default: list all commands)',
  },
} as const satisfies ArgsDef

export const help = (program: Program, commands: Commands) =>
  defineCommand({
    meta: { name: 'help', description: 'Show all commands, or the options of one' },
    args,
    async run({ args: { command } }) {
      if (command !== undefined && !Object.hasOwn(commands, command)) throw noCommand(command, commands)
      program.print(await helpText(commands, program, command))
    },
  })

function noCommand(name: string, commands: Commands) {
  const meant = nearest(name, Object.keys(commands))
  return usageFailure(`unknown command ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}
