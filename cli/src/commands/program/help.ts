import { defineCommand, type ArgsDef } from 'citty'
import { closestWord } from '../../arguments/closest-word.ts'
import type { Commands } from '../../program/command.ts'
import { helpText } from '../../documentation/help.ts'
import { usageFailure } from '../../errors/failure.ts'
import type { Program } from '../../program/program.ts'

const argsDef = {
  command: {
    type: 'positional',
    required: false,
    description: 'Name of a command (default: list all commands)',
  },
} as const satisfies ArgsDef

export const help = (program: Program, commands: Commands) =>
  defineCommand({
    meta: { name: 'help', description: 'Show all commands, or the options of one' },
    args: argsDef,
    async run({ args: { command } }) {
      if (command !== undefined && !Object.hasOwn(commands, command)) throw noCommand(command, commands)
      program.print(await helpText(commands, program, command))
    },
  })

function noCommand(name: string, commands: Commands) {
  const meant = closestWord(name, Object.keys(commands))
  return usageFailure(`unknown command ${name}${meant === undefined ? '' : `; did you mean ${meant}?`}`)
}
