import type { UserUpdate } from '@svc/contract'
import { defineCommand, type ArgsDef } from 'citty'
import { meantUser } from '../../admin/find-user.ts'
import * as users from '../../core/accounts/users.ts'
import { answer } from '../terminal/read-answer.ts'
import { commonArguments, userArgument } from '../base/common-arguments.ts'
import { onService } from '../base/on-service.ts'
import { getPassword, passwordArguments, passwordSource } from '../terminal/password.ts'
import type { Program } from '../base/program.ts'
import { UsageError } from '../base/usage-error.ts'
import { checkUserUpdate, fieldArguments, fieldsOf } from './fields.ts'

const args = {
  ...userArgument,
  ...fieldArguments,
  admin: {
    type: 'boolean',
    description: 'Make the user an admin',
    negativeDescription: 'Make the user an ordinary one',
  },
  password: {
    type: 'boolean',
    description: 'Ask for a new password; it ends all sessions and tokens, as the next two do',
  },
  ...passwordArguments,
  ...commonArguments,
} satisfies ArgsDef

export const updateUser = (program: Program) =>
  defineCommand({
    meta: { name: 'update', description: 'Change a user; what is not named stays as it is' },
    args,
    async run({ args: given }) {
      const source = passwordSource(given, given.password === true)
      const fields: UserUpdate = {
        ...fieldsOf(given),
        ...(given.admin !== undefined && { admin: given.admin }),
      }
      if (source === undefined && Object.keys(fields).length === 0)
        throw new UsageError('there is nothing to change: name it with an option')
      checkUserUpdate(fields)
      const { user, password } = await onService(program, given, async (service) => {
        const user = await meantUser(service, given.user)
        const password = source && (await getPassword(program, source, service.random))
        const changes: UserUpdate = { ...fields, ...(password !== undefined && { password }) }
        checkUserUpdate(changes)
        return { user: users.describeUser(await users.updateUser(service, user, changes)), password }
      })
      const told = source === 'generate' ? { password } : {}
      answer(program, given, { ...user, ...told }, () => [
        `changed ${user.id}`,
        ...(told.password === undefined ? [] : [`password: ${told.password}`]),
      ])
    },
  })
