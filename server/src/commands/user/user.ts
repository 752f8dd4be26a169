import { defineCommand } from 'citty'
import { metaOf } from '../base/descriptions.ts'
import type { Program } from '../base/program.ts'
import { createUser } from './create.ts'
import { userData } from './data.ts'
import { deleteUser } from './delete.ts'
import { listUsers } from './list.ts'
import { rebindUserCommand } from './rebind.ts'
import { showUser } from './show.ts'
import { updateUser } from './update.ts'

export const user = (program: Program) =>
  defineCommand({
    meta: metaOf('user'),
    subCommands: {
      create: createUser(program),
      list: listUsers(program),
      show: showUser(program),
      data: userData(program),
      update: updateUser(program),
      rebind: rebindUserCommand(program),
      delete: deleteUser(program),
    },
  })
