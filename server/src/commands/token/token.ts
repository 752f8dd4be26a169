import { defineCommand } from 'citty'
import { metaOf } from '../base/descriptions.ts'
import type { Program } from '../base/program.ts'
import { createToken } from './create.ts'
import { deleteToken } from './delete.ts'
import { listTokens } from './list.ts'

export const token = (program: Program) =>
  defineCommand({
    meta: metaOf('token'),
    subCommands: {
      create: createToken(program),
      list: listTokens(program),
      delete: deleteToken(program),
    },
  })
