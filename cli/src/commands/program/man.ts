import { defineCommand } from 'citty'
import { manual } from '../../documentation/manual.ts'
import type { Commands } from '../../program/command.ts'
import type { Program } from '../../program/program.ts'

export const man = (program: Program, commands: Commands) =>
  defineCommand({
    meta: { name: 'man', description: 'Print the manual page: svc man | man -l -' },
    async run() {
      program.print(await manual(commands, program))
    },
  })
