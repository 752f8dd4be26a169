import { defineCommand } from 'citty'
import type { Program } from '../base/program.ts'
import { createToken } from './create.ts'
import { deleteToken } from './delete.ts'
import { listTokens } from './list.ts'

export const token = (program: Program) =>
  defineCommand({
    meta: { name: 'token', description: 'Create, list and delete tokens of users, for command-line clients' },
    subCommands: {
      create: createToken(program),
      list: listTokens(program),
      delete: deleteToken(program),
    },
  })
