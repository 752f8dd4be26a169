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
    description: 'Name of a command; all commands without it',
  },
} as const satisfies ArgsDef

export const help = (program: Program, commands: Commands) =>
  defineCommand({
    meta: { name: 'help', description: 'Show the commands, or the options of one, as --help does' },
    args,
    async run({ args: { command } }) {
      if (command !== undefined && !Object.hasOwn(commands, command)) throw noCommand(command, commands)
      program.print(await helpText(commands, program, command))
    },
  })

function noCommand(name: string, commands: Commands) {
  const meant = nearest(name, Object.keys(commands))
  return usageFailure(`there is no command ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}
